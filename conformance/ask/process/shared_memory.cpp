#include "conformance/ask/process/shared_memory.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <limits>
#include <string>
#include <utility>

namespace certile::conformance {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t value, int milliseconds) noexcept {
  const std::timespec limit{milliseconds / 1000, milliseconds % 1000 * 1'000'000L};
  syscall(SYS_futex, &word, FUTEX_WAIT, value, &limit, nullptr, 0);
}

void futex_ring(std::atomic<std::uint32_t>& word) noexcept {
  word.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &word, FUTEX_WAKE, std::numeric_limits<int>::max(), nullptr, nullptr, 0);
}

namespace {

Error system_error(const char* what) {
  return {Error::Code::io, std::string("cannot ") + what + " shared memory: " + std::strerror(errno)};
}

}  // namespace

SharedMemory::SharedMemory(int descriptor, std::byte* address, std::size_t size) noexcept
    : descriptor_(descriptor), address_(address), size_(size) {}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      address_(std::exchange(other.address_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SharedMemory::~SharedMemory() {
  if (address_ != nullptr) munmap(address_, size_);
  if (descriptor_ >= 0) close(descriptor_);
}

Result<SharedMemory> SharedMemory::create(std::size_t size, bool future_read_only) {
  const int descriptor = memfd_create("data", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return system_error("create");
  void* address = MAP_FAILED;
  if (ftruncate(descriptor, static_cast<off_t>(size)) == 0)
    address = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | (future_read_only ? F_SEAL_FUTURE_WRITE : 0);
  if (address == MAP_FAILED || fcntl(descriptor, F_ADD_SEALS, seals) != 0) {
    Error error = system_error("map");
    if (address != MAP_FAILED) munmap(address, size);
    close(descriptor);
    return error;
  }
  return SharedMemory(descriptor, static_cast<std::byte*>(address), size);
}

Result<SharedMemory> SharedMemory::map(int descriptor, std::size_t size, bool writable) {
  const int protection = PROT_READ | (writable ? PROT_WRITE : 0);
  void* address = mmap(nullptr, size, protection, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) {
    Error error = system_error("map");
    close(descriptor);
    return error;
  }
  close(descriptor);
  return SharedMemory(-1, static_cast<std::byte*>(address), size);
}

void SharedMemory::give_back(std::span<std::byte> part) noexcept {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(part.data());
  const std::size_t before = (page - begin % page) % page;
  if (part.size() < before + page) return;
  madvise(part.data() + before, (part.size() - before) / page * page, MADV_REMOVE);
}

}  // namespace certile::conformance
