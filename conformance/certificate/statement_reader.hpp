#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "reference/values/result.hpp"

namespace certile::conformance {

// Returns the first line for people of a statement that says PASSED or WARNED.  Error: bad_literal if the
// text is no such statement, as one with failed clauses is not.
Result<std::string> line_of_statement(std::string_view text);

// Returns the name of the subject with this SHA-256, or of the first one if it is empty; nothing if the text
// is no statement, or has no such subject.
std::optional<std::string> name_of_subject(std::string_view text, std::string_view digest);

// Returns the SHA-256 of the lines of the records that the statement is about; empty if it names none.
std::string digest_of_records(std::string_view text);

}  // namespace certile::conformance
