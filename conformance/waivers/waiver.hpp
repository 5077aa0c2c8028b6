#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/facts/outcome.hpp"
#include "reference/values/element_type.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A failure that is accepted for a time: of one case, or of a clause with one element type.
struct Waiver {
  std::string literal;                  // canonical; empty: the waiver is of a clause
  std::string clause;                   // an id of reference/spec; empty: the waiver is of a case
  ElementType type = ElementType::f32;  // of the data; only with a clause
  Fault fault = Fault::none;            // the accepted fault; any other still fails
  std::string reason, owner, link;
  std::chrono::year_month_day until;  // the last day on which the waiver is valid
};

// Reads lines of the forms
//   'LITERAL'   FAULT "reason"  owner: WORDS  link: ADDRESS  until: YYYY-MM-DD
//   CLAUSE TYPE FAULT "reason"  owner: WORDS  link: ADDRESS  until: YYYY-MM-DD
// and skips empty lines and lines that begin with #.  Every field is required; a waiver without a link says
// `none`.  Errors: bad_literal with `named:line:`, also for a `?` that has not been filled in, and for two
// waivers of the same failure.
Result<std::vector<Waiver>> parse_waivers(const std::string& text, const std::string& named);

// Returns the line that parse_waivers() reads as this waiver.
std::string to_string(const Waiver& waiver);

// Returns the waiver for readers: `reason (owner, link, until 2027-01-01)`.
std::string describe(const Waiver& waiver);

// Returns the date as "2027-01-01".
std::string date_text(const std::chrono::year_month_day& date);

// The waivers of one backend, and the file that they come from.
struct WaiverFile {
  std::string path;    // empty: this backend has no waivers
  std::string digest;  // SHA-256, in hex
  std::vector<Waiver> waivers;
};

// Reads the waivers of a backend.  `path` is a file, or a folder that may contain NAME.waivers for that name.
// Errors: io (the file is missing or cannot be read, or `interrupted` is set meanwhile), bad_literal as
// parse_waivers.
Result<WaiverFile> read_waivers(const std::string& path, const std::string& backend,
                                const std::atomic<bool>* interrupted = nullptr);

// Returns the files at `path`: itself, or its *.waivers if it is a folder.
std::vector<std::string> waiver_files(const std::string& path);

// Reads all waivers at `path`, so that mistakes are reported before anything is run.
Result<Done> check_waivers(const std::string& path, const std::atomic<bool>* interrupted = nullptr);

// Returns the path of the waivers of a backend: `path` itself, or a file in it if it is a folder or ends with
// a
// '/'.
std::string waivers_path(const std::string& path, const std::string& backend);

}  // namespace certile::conformance
