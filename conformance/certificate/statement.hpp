#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "conformance/records/summary.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

inline constexpr const char* statement_type = "https://in-toto.io/Statement/v1";
// The name of the records in the statement's configuration.
inline constexpr const char* records_name = "records";
inline constexpr const char* predicate_type = "https://in-toto.io/attestation/test-result/v0.1";

// Returns why a run gives no certificate: a part of the plan was not asked, a waiver is not needed or has
// expired, the tier is below core, the run does not conform, or it is not known what was judged.  Nothing if
// it gives one.
std::optional<std::string> no_certificate_because(const Summary& summary);
// Returns why no run with this header gives one.
std::optional<std::string> no_certificate_because(const RunHeader& header);

// Returns the first line for people: the backend, its operators, level, tier and verdict, and the limits of
// the claim.
std::string certificate_line(const Summary& summary);

// Returns an in-toto statement (v1, predicate test-result) about a run that gives a certificate.  Its bytes
// depend on the records alone.
std::string statement_of(const Summary& summary);

// Returns the first line for people of a statement that says PASSED or WARNED.  Error: bad_literal if the
// text is no such statement, as one with failed clauses is not.
Result<std::string> line_of_statement(std::string_view text);

// Returns the name of the subject with this SHA-256, or of the first one if it is empty; nothing if the text
// is no statement, or has no such subject.
std::optional<std::string> name_of_subject(std::string_view text, std::string_view digest);

// Returns the SHA-256 of the lines of the records that the statement is about; empty if it names none.
std::string digest_of_records(std::string_view text);

}  // namespace certile::conformance
