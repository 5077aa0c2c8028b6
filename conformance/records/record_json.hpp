#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "conformance/judge/record.hpp"
#include "conformance/records/summary.hpp"
#include "conformance/text/foreign_json.hpp"

namespace certile::conformance {

// The format of a records file.  A header is a line {"header":{…}}, a footer {"footer":{…}}, and any other
// line a record.  Readers ignore unknown fields; the number grows if that would misread a file.  Format 1,
// whose records have only the last finding, can be read too.
inline constexpr int records_format = 2;

// Returns `value` on one line.  Bytes that are not UTF-8, which only untrusted messages contain, become
// U+FFFD.
std::string dumped(const Json& value);

Json header_to_json(const RunHeader& header);
// Reads a header.  Error: bad_literal, with the field that is missing or invalid.
Result<RunHeader> header_from_json(const Json& json);
// Reads the header that a line of others is; nothing if it is another line.
std::optional<Result<RunHeader>> header_in(std::string_view line);

// Appends the record as one line with its newline.
void append_record_line(std::string& out, const Record& record);
// Reads a record, whose ids live as long as the header's clauses.  Error: bad_literal.
Result<Record> record_from_json(const Json& json, const RunHeader& header);

// Converts the footer; `digest` is the SHA-256 of the lines before it.
Json footer_to_json(const Summary& summary, const std::string& digest);
Result<RunFooter> footer_from_json(const Json& json);

}  // namespace certile::conformance
