#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "conformance/record.hpp"
#include "conformance/summary.hpp"

namespace certile {

// The lines of a records file.  A header is {"header":{…}}, a footer {"footer":{…}}, and any other line is a
// record. Readers ignore fields that they do not know; a higher `format` says that this is not enough to
// understand the file.
inline constexpr int records_format = 1;

using Json = nlohmann::ordered_json;

// `value` on one line.  Bytes that are not UTF-8, which only untrusted messages hold, become U+FFFD.
std::string dumped(const Json& value);

Json header_to_json(const RunHeader& header);
// bad_literal, with the field that is missing or means nothing.
Result<RunHeader> header_from_json(const Json& json);

// Appends the record as one line with its newline.
void append_record_line(std::string& out, const Record& record);
Result<Record> record_from_json(const Json& json);

// What a footer counts.
struct FooterCounts {
  std::int64_t records = 0;
  std::vector<std::int64_t> verdicts = std::vector<std::int64_t>(verdict_count);  // in the order of Verdict
  std::int64_t vacuous = 0;
  bool operator==(const FooterCounts&) const = default;
};
Json footer_to_json(const Summary& summary);
Result<FooterCounts> footer_from_json(const Json& json);

}  // namespace certile
