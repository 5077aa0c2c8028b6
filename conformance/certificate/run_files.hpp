#pragma once
#include <optional>
#include <string>
#include <vector>

#include "conformance/facts/claim.hpp"
#include "conformance/records/summary.hpp"

namespace certile::conformance {

// Returns why it is not known which files a worker runs, whose command has files with these digests: a shell
// looks something up, code is in the command itself, or a file that it names is not among them.  Nothing if
// it is known, or if the spelling is no worker's.
std::optional<std::string> unknown_file_of(const std::string& spelling, const std::vector<Part>& parts);

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
