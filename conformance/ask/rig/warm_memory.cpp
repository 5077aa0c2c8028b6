#include "conformance/ask/rig/warm_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>  // IWYU pragma: keep, for Arm

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace certile::conformance {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr int first_content = 0xa5;

std::size_t page_bytes() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::size_t rounded_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

Result<WarmMemory> WarmMemory::make(std::size_t size) {
  const std::size_t alignment = size >= huge_page ? huge_page : page_bytes();
  const std::size_t usable = rounded_up(size, page_bytes());
  // A page on either side, because masked vector instructions may reach there and are slow on unmapped
  // memory, even if they access nothing.
  const std::size_t mapped = page_bytes() + usable + alignment + page_bytes();
  void* mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return Error{Error::Code::out_of_memory, "no memory for a buffer of " + std::to_string(size) + " bytes"};
  auto* const start = static_cast<std::byte*>(mapping);
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  std::byte* const bytes = start + (rounded_up(address + page_bytes(), alignment) - address);
  if (size >= huge_page) madvise(bytes, usable, MADV_HUGEPAGE);
  std::memset(bytes - page_bytes(), first_content, page_bytes() + usable + page_bytes());
  return WarmMemory(start, mapped, bytes, size);
}

WarmMemory::WarmMemory(WarmMemory&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_(other.mapped_),
      bytes_(other.bytes_),
      size_(other.size_) {}

WarmMemory::~WarmMemory() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

std::string page_policy() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string word, chosen = "not offered";
  while (file >> word)
    if (word.front() == '[') chosen = word.substr(1, word.size() - 2);
  return "pages of " + std::to_string(page_bytes() >> 10) +
         " KiB; from 2 MiB on aligned to 2 MiB and advised huge (transparent huge pages: " + chosen +
         "); written before timing; input and output shared by all that is timed in this process";
}

#if defined(__x86_64__)

namespace {

constexpr std::size_t line_bytes = 64;

__attribute__((target("clflushopt"))) void flush_unordered(const std::byte* first, const std::byte* end) {
  for (; first < end; first += line_bytes)
    _mm_clflushopt(const_cast<std::byte*>(first));
}

void flush_ordered(const std::byte* first, const std::byte* end) {
  for (; first < end; first += line_bytes)
    _mm_clflush(first);
}

bool has_unordered_flush() {
  unsigned answer[4] = {};
  __asm__("cpuid" : "=a"(answer[0]), "=b"(answer[1]), "=c"(answer[2]), "=d"(answer[3]) : "a"(7), "c"(0));
  return (answer[1] >> 23 & 1) != 0;
}

}  // namespace

void flush_from_caches(std::span<const std::byte> bytes) {
  static const bool unordered = has_unordered_flush();
  (unordered ? flush_unordered : flush_ordered)(bytes.data(), bytes.data() + bytes.size());
  _mm_mfence();
}

#elif defined(__aarch64__)

void flush_from_caches(std::span<const std::byte> bytes) {
  std::uint64_t kind = 0;
  __asm__("mrs %0, ctr_el0" : "=r"(kind));
  const std::size_t line = std::size_t{4} << (kind >> 16 & 15);
  for (std::size_t at = 0; at < bytes.size(); at += line)
    __asm__ volatile("dc civac, %0" : : "r"(bytes.data() + at) : "memory");
  __asm__ volatile("dsb sy" : : : "memory");
}

#else

void flush_from_caches(std::span<const std::byte>) {
  static std::vector<char> other(std::size_t{256} << 20);
  std::memset(other.data(), first_content, other.size());
  __asm__ volatile("" : : "r"(other.data()) : "memory");
}

#endif

}  // namespace certile::conformance
