#include "backends/plugin/status.hpp"

#include <algorithm>
#include <iterator>

namespace certile::backends {
namespace {

// A status that a backend can report.
struct Row {
  Status status;
  std::string_view word;
  Error::Code code;
};

constexpr Row failed{Status::failed, "failed", Error::Code::backend_failed};
constexpr Row rows[] = {
    {Status::ok, "ok", Error::Code::backend_failed},
    {Status::rejected, "rejected", Error::Code::rejected},
    {Status::unsupported, "unsupported", Error::Code::unsupported},
    {Status::no_memory, "no_memory", Error::Code::out_of_memory},
    failed,
};

template <class Value>
const Row* row_with(Value Row::*field, const Value& value) noexcept {
  const Row* const found = std::ranges::find(rows, value, field);
  return found == std::end(rows) ? nullptr : found;
}

std::optional<Status> status_in(const Row* row) noexcept {
  if (row == nullptr) return std::nullopt;
  return row->status;
}

}  // namespace

std::optional<Status> reported_status(std::int32_t number) noexcept {
  return status_in(row_with(&Row::status, static_cast<Status>(number)));
}

std::optional<Status> reported_status(std::string_view word) noexcept {
  return status_in(row_with(&Row::word, word));
}

std::string_view name(Status status) noexcept {
  const Row* const row = row_with(&Row::status, status);
  return row == nullptr ? failed.word : row->word;
}

Error::Code code_of(Status status) noexcept {
  const Row* const row = row_with(&Row::status, status);
  return row == nullptr ? failed.code : row->code;
}

Status status_of(Error::Code code) noexcept {
  const auto* const row = std::ranges::find(std::begin(rows) + 1, std::end(rows), code, &Row::code);
  return row == std::end(rows) ? failed.status : row->status;
}

}  // namespace certile::backends
