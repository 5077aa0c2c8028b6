#include "conformance/text/foreign_json.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

bool is_within_limits(std::string_view text) {
  struct Level {
    bool is_object = false;
    std::size_t commas = 0;
  };
  std::array<Level, deepest_json + 1> levels{};
  std::size_t depth = 0, values = 0;
  bool is_in_string = false;
  for (std::size_t index = 0; index < text.size(); ++index) {
    const char each = text[index];
    if (is_in_string) {
      if (each == '\\') ++index;
      if (each == '"') is_in_string = false;
      continue;
    }
    const bool opens = each == '[' || each == '{';
    if (each == '"') is_in_string = true;
    if ((opens || each == ',') && ++values > most_json_values) return false;
    if (opens) {
      if (++depth > deepest_json) return false;
      levels[depth] = {each == '{', 0};
    }
    if ((each == ']' || each == '}') && depth > 0) --depth;
    if (each == ',' && ++levels[depth].commas >= most_json_members && levels[depth].is_object) return false;
  }
  return true;
}

}  // namespace

Json foreign_json(std::string_view text) {
  return is_within_limits(text) ? Json::parse(text, nullptr, false) : Json(Json::value_t::discarded);
}

ForeignLines::ForeignLines(std::istream& file, std::string named, std::uint64_t most)
    : file_(file), named_(std::move(named)), left_(most), piece_(std::size_t{1} << 16) {
  file_.exceptions(std::ios::badbit);
}

Result<bool> ForeignLines::next(std::string& line) try {
  line.clear();
  errno = 0;
  for (;;) {
    file_.getline(piece_.data(), static_cast<std::streamsize>(piece_.size()));
    const auto size = static_cast<std::size_t>(file_.gcount());
    if (line.empty() && size > 0) ++number_;
    if (size > left_) return wrong("the file holds more than certile reads of one");
    left_ -= size;
    const bool is_at_end = file_.eof(), has_more = file_.fail();
    line.append(piece_.data(), is_at_end || has_more ? size : size - 1);
    if (line.size() > longest_line)
      return wrong("the line has more than " + std::to_string(longest_line >> 20) + " MiB");
    if (is_at_end && line.empty()) return false;
    if (is_at_end) return wrong("the line has no newline: the file was cut short");
    if (!has_more) return true;
    file_.clear();
  }
} catch (const std::ios::failure& failure) {
  const std::string why = errno != 0 ? std::strerror(errno) : failure.what();
  return Error{Error::Code::io, "cannot read " + printable(named_) + ": " + why};
} catch (const std::exception& failure) {
  return Error{Error::Code::io, "cannot read " + printable(named_) + ": " + failure.what()};
}

Error ForeignLines::wrong(const std::string& why) const {
  return {Error::Code::bad_literal,
          printable(named_) + ":" + std::to_string(number_) + ": " + printable(why)};
}

}  // namespace certile::conformance
