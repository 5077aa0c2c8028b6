#pragma once
#include <sys/resource.h>

#include <cstdint>

namespace certile::conformance {

// Sets both limits of that resource for this process and those that it starts.
void limit_resource(__rlimit_resource_t resource, rlim_t value) noexcept;

// Limits the bytes that this process, and each process it starts, may write to; 256 MiB are added for stacks
// and the heap, which any process has.  Bytes that are reserved and never touched do not count, because
// runtimes reserve address space by the gigabyte.  Nor does the shadow of a
// sanitizer that was preloaded.  There is no limit if this program was built with one.
void limit_writable_memory(std::uint64_t bytes) noexcept;

}  // namespace certile::conformance
