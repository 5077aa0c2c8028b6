#pragma once
#include <sys/resource.h>

#include <cstdint>

namespace certile {

// Sets both limits of that resource for this process and those that it starts.
void limit_resource(__rlimit_resource_t resource, rlim_t value) noexcept;

// Limits the bytes that this process, and each that it starts, may write to, beside 256 MiB for what any
// process has: stacks, a heap.  Bytes that are reserved and never touched do not count, because runtimes
// reserve address space by the gigabyte.  Under a sanitizer nothing is limited, because its shadow memory is
// larger than any limit of use.
void limit_writable_memory(std::uint64_t bytes) noexcept;

}  // namespace certile
