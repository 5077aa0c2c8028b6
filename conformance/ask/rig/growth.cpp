#include "conformance/ask/rig/growth.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>

#include "conformance/ask/rig/leak_probe.hpp"

namespace certile::conformance {
namespace {

constexpr std::size_t room = 512;  // samples
constexpr std::size_t windows = 8;

// Descriptors get the lowest free number, so this number rises with each one that is kept.
std::int64_t lowest_free_descriptor() noexcept {
  const int copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  if (copy >= 0) {
    ::close(copy);
    return copy;
  }
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? static_cast<std::int64_t>(limit.rlim_cur) : 0;
}

std::int64_t threads_now() noexcept {
  struct stat tasks {};
  return stat("/proc/self/task", &tasks) == 0 ? static_cast<std::int64_t>(tasks.st_nlink) : 0;
}

using AllocatedBytes = std::size_t (*)();

// Returns the function by which a sanitizer's allocator says what is in use; null without a sanitizer.
AllocatedBytes sanitizer_allocated() noexcept {
  static const auto found =
      reinterpret_cast<AllocatedBytes>(dlsym(RTLD_DEFAULT, "__sanitizer_get_current_allocated_bytes"));
  return found;
}

// Returns the bytes that are allocated and not freed, as far as the C library's allocator gave them.
std::int64_t heap_now() noexcept {
  if (const AllocatedBytes allocated = sanitizer_allocated()) return static_cast<std::int64_t>(allocated());
  const struct mallinfo2 info = mallinfo2();
  return static_cast<std::int64_t>(info.uordblks + info.hblkhd);
}

// Returns all bytes that the process has mapped, an emulator's among them; -1 if the system does not say.
std::int64_t mapped_by_all() noexcept {
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  std::array<char, 64> text{};
  const ssize_t got = read(file, text.data(), text.size() - 1);
  ::close(file);
  return got > 0 ? std::strtoll(text.data(), nullptr, 10) * sysconf(_SC_PAGESIZE) : -1;
}

// Returns the bytes of the mappings that the process can see: those of an emulator are not among them.  0 if
// the system does not show them.
std::int64_t mapped_by_program() {
  std::ifstream mappings("/proc/self/maps");
  std::int64_t bytes = 0;
  for (std::string line; std::getline(mappings, line);) {
    char* rest = nullptr;
    const unsigned long long begin = std::strtoull(line.c_str(), &rest, 16);
    bytes += static_cast<std::int64_t>(std::strtoull(rest + 1, nullptr, 16) - begin);
  }
  return bytes;
}

// Returns true if much is mapped that the process cannot see: an emulator has tens of mebibytes for
// translated code alone.  The backend's threads may map and unmap memory meanwhile, so the lesser of two
// amounts counts.
bool has_unseen_memory() {
  constexpr std::int64_t least_of_emulator = 16 << 20;
  const std::int64_t before = mapped_by_all(), seen = mapped_by_program();
  return seen > 0 && std::min(before, mapped_by_all()) - seen >= least_of_emulator;
}

// Returns true in an emulator.  The variable that names one is not in the environment of a backend.
bool is_emulated() noexcept {
  try {
    static const bool emulated = has_unseen_memory();
    return emulated;
  } catch (const std::exception&) {
    return false;  // no memory to find out; the next call tries again
  }
}

std::int64_t address_space_now() noexcept {
  // A sanitizer keeps freed memory for a long while, and what an emulator maps is no matter of the backend.
  return sanitizer_allocated() != nullptr || is_emulated() ? 0 : mapped_by_all();
}

struct Limits {
  const char* name;
  std::int64_t least;    // a smaller growth is never charged
  std::int64_t drastic;  // a larger one is charged at once
};

// Returns amounts that are above those of a pool or a cache that fills, and below the limits at which a
// process gets no more, because there all growth ends: 1,024 descriptors, and 4 GiB of memory, also for
// stacks of 8 MiB.
Limits limits_of(Resource resource) {
  static const std::int64_t many = std::clamp<std::int64_t>(4 * sysconf(_SC_NPROCESSORS_ONLN), 128, 400);
  constexpr std::int64_t mebibyte = std::int64_t{1} << 20;
  switch (resource) {
    case Resource::descriptors:
      return {"open descriptors", 16, 256};
    case Resource::threads:
      return {"threads", 16, many};
    case Resource::heap:
      return {"allocated bytes", std::int64_t{64} << 10, 256 * mebibyte};
    case Resource::processes:
      return {"processes", 16, many / 2};
    default:
      return {"bytes of mapped memory", 4 * mebibyte, 1024 * mebibyte};
  }
}

}  // namespace

Amounts amounts_now() noexcept {
  return {lowest_free_descriptor(), threads_now(), heap_now(), std::max<std::int64_t>(address_space_now(), 0),
          left_processes()};
}

bool has_run_low(const Amounts& before) noexcept {
  const auto low = [&](Resource resource, std::int64_t now) {
    return now - before[static_cast<std::size_t>(resource)] >= limits_of(resource).drastic;
  };
  return low(Resource::descriptors, lowest_free_descriptor()) || low(Resource::threads, threads_now()) ||
         low(Resource::address_space, address_space_now()) || low(Resource::processes, left_processes());
}

std::optional<std::int64_t> steady_growth(std::span<const std::int64_t> values) {
  if (values.size() < least_values) return std::nullopt;
  const auto later = values.subspan(values.size() / 4);
  std::array<std::int64_t, windows> lowest{};
  for (std::size_t window = 0; window < windows; ++window) {
    const std::size_t begin = later.size() * window / windows, end = later.size() * (window + 1) / windows;
    lowest[window] = *std::min_element(later.begin() + static_cast<std::ptrdiff_t>(begin),
                                       later.begin() + static_cast<std::ptrdiff_t>(end));
  }
  const std::int64_t growth = lowest.back() - lowest.front();
  const auto rises = static_cast<std::int64_t>(windows - 1);
  for (std::size_t window = 1; window < windows; ++window) {
    const std::int64_t rise = lowest[window] - lowest[window - 1];
    if (rise <= 0 || 2 * rises * rise < growth) return std::nullopt;
  }
  return growth;
}

Growth::Growth(std::int64_t stride, std::int64_t enough) : stride_(stride), enough_(enough), due_(stride) {
  for (auto& values : values_)
    values.reserve(room);
  calls_.reserve(room);
}

Growth Growth::of_large_calls() {
  Growth growth(1);
  growth.calls_are_large_ = true;
  return growth;
}

void Growth::add(std::int64_t calls, const Amounts& amounts) noexcept {
  if (calls_.size() == room) {
    const auto halve = [](std::vector<std::int64_t>& values) {
      for (std::size_t index = 0; index < room / 2; ++index)
        values[index] = values[2 * index + 1];
      values.resize(room / 2);
    };
    for (auto& values : values_)
      halve(values);
    halve(calls_);
    stride_ *= 2;
  }
  if (calls_.empty()) first_ = amounts;
  calls_.push_back(calls);
  for (std::size_t index = 0; index < resource_count; ++index)
    values_[index].push_back(amounts[index]);
  due_ = calls + stride_;
}

std::optional<std::int64_t> Growth::growth_of(Resource resource) const {
  const auto growth = steady_growth(values_[static_cast<std::size_t>(resource)]);
  return growth && *growth >= limits_of(resource).least / 16 ? growth : std::nullopt;
}

bool Growth::is_suspicious() const {
  for (std::size_t index = 0; index < resource_count; ++index)
    if (growth_of(static_cast<Resource>(index))) return true;
  return false;
}

bool Growth::is_charged(Resource resource, std::int64_t growth) const {
  const Limits limits = limits_of(resource);
  // No pool has a mebibyte for each of hundreds of calls, and one of hundreds of threads is charged as
  // threads.
  constexpr std::int64_t many_large = 256, kept_by_them = many_large << 20;
  if (calls_are_large_ && growth < limits.drastic)
    return resource == Resource::address_space && calls_.back() >= many_large && growth >= kept_by_them;
  return growth >= limits.drastic || (growth >= limits.least && calls_.back() >= enough_);
}

std::string Growth::charge() const {
  std::string charged;
  for (std::size_t index = 0; index < resource_count; ++index) {
    const auto resource = static_cast<Resource>(index);
    const auto growth = growth_of(resource);
    if (!growth) continue;
    const auto& values = values_[index];
    const std::size_t begin = values.size() / 4;
    const std::int64_t gained = values.back() - values[begin], calls = calls_.back() - calls_[begin];
    // What was there at two moments shows the growth, or the least of many shows something else.
    if (!is_charged(resource, std::min(*growth, gained))) continue;
    // What fills a cache with a bound comes fast at first, and then slowly: the rate has to explain what was
    // there.
    const double by_then =
        static_cast<double>(gained) / static_cast<double>(calls) * static_cast<double>(calls_[begin]);
    if (gained < limits_of(resource).drastic &&
        2 * by_then < static_cast<double>(values[begin] - first_[index]))
      continue;
    // Mapped memory grows with allocated bytes, and with the stacks of threads.
    if (resource == Resource::address_space && !charged.empty()) continue;
    std::array<char, 32> rate{};
    std::snprintf(rate.data(), rate.size(), "%.3g", static_cast<double>(gained) / static_cast<double>(calls));
    charged += (charged.empty() ? "" : "; ") + std::string(rate.data()) + " " + limits_of(resource).name +
               " in each call: " + std::to_string(values[begin]) + " after " + std::to_string(calls_[begin]) +
               " calls, " + std::to_string(values.back()) + " after " + std::to_string(calls_.back());
  }
  return charged;
}

}  // namespace certile::conformance
