#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "backends/plugin/certile_plugin.h"
#include "reference/values/result.hpp"

namespace certile::backends {

// The end of a call of a backend: the statuses of the C header, and the ends that no backend reports.
enum class Status : std::int32_t {
  ok = CERTILE_OK,
  rejected = CERTILE_REJECTED,
  unsupported = CERTILE_UNSUPPORTED,
  no_memory = CERTILE_NO_MEMORY,
  failed = CERTILE_FAILED,
  crashed = 16,
  timed_out,
  not_called,
};

// Returns the status of that number in the C header, or of that word in the worker protocol ("no_memory");
// nothing for others.
std::optional<Status> reported_status(std::int32_t number) noexcept;
std::optional<Status> reported_status(std::string_view word) noexcept;

// Returns the word; "failed" for a status that no backend reports.
std::string_view name(Status status) noexcept;

// Converts between a reported status other than ok and the code of an Error that means the same; every other
// code is `failed`.
Error::Code code_of(Status status) noexcept;
Status status_of(Error::Code code) noexcept;

}  // namespace certile::backends
