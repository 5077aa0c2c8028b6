#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/waivers/waiver.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

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
