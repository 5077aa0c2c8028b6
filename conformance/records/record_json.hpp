#pragma once
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/records/summary.hpp"

namespace certile {

// The lines of a records file.  A header is {"header":{…}}, a footer {"footer":{…}}, and any other line is a
// record. Readers ignore fields that they do not know; a higher `format` says that this is not enough to
// understand the file.  Format 1, whose records have the last finding alone, is read as well.
inline constexpr int records_format = 2;

using Json = nlohmann::ordered_json;

// `value` on one line.  Bytes that are not UTF-8, which only untrusted messages hold, become U+FFFD.
std::string dumped(const Json& value);

// `json` as a whole number.  The library itself would make one of any number, and crash at some: throws its
// type_error for a fraction and for what does not fit.
template <std::integral Whole>
void get_whole(const Json& json, Whole& value) {
  if (json.is_number_unsigned() && std::in_range<Whole>(json.get<std::uint64_t>())) {
    value = static_cast<Whole>(json.get<std::uint64_t>());
  } else if (json.is_number_integer() && !json.is_number_unsigned() &&
             std::in_range<Whole>(json.get<std::int64_t>())) {
    value = static_cast<Whole>(json.get<std::int64_t>());
  } else {
    throw Json::type_error::create(302, dumped(json) + " is not a whole number that fits", &json);
  }
}

Json header_to_json(const RunHeader& header);
// bad_literal, with the field that is missing or means nothing.
Result<RunHeader> header_from_json(const Json& json);

// Appends the record as one line with its newline.
void append_record_line(std::string& out, const Record& record);
// The ids in it live as long as the clauses that the header lists, and the program.
Result<Record> record_from_json(const Json& json, const RunHeader& header);

// `digest`: of the lines before it.
Json footer_to_json(const Summary& summary, const std::string& digest);
Result<RunFooter> footer_from_json(const Json& json);

}  // namespace certile
