#include "conformance/text/foreign_lines.hpp"

#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

#include "conformance/text/printable.hpp"

namespace certile::conformance {

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
