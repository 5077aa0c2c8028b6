#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/facts/claim.hpp"
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

// Returns why it is not known which files a worker runs, whose command has files with these digests: a shell
// looks something up, code is in the command itself, or a file that it names is not among them.  Nothing if
// it is known, or if the spelling is no worker's.
std::optional<std::string> unknown_file_of(const std::string& spelling, const std::vector<Part>& parts);

// Returns the name of the subject with this SHA-256, or of the first one if it is empty; nothing if the text
// is no statement, or has no such subject.
std::optional<std::string> name_of_subject(std::string_view text, std::string_view digest);

// Returns the SHA-256 of the lines of the records that the statement is about; empty if it names none.
std::string digest_of_records(std::string_view text);

// The files of a bundle that follow from the records.

inline constexpr const char* environment_file = "environment.json";
inline constexpr const char* plan_file = "plan.json";
inline constexpr const char* waivers_file = "waivers";
inline constexpr const char* repro_file = "repro.sh";

// Returns the machines of the run, its isolation, and the files that it loaded, as JSON.
std::string environment_of(const Summary& summary);
// Returns the options that give the plan, and its digest, as JSON.
std::string plan_of(const Summary& summary);
// Returns a shell script that certifies the backend again with the same plan.
std::string repro_of(const Summary& summary);

}  // namespace certile::conformance
