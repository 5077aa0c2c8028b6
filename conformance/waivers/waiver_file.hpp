#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/waivers/waiver.hpp"
#include "reference/values/result.hpp"

namespace certile {

// The waivers of one backend, and where they come from.
struct WaiverFile {
  std::string path;    // empty: there are none for this backend
  std::string digest;  // SHA-256, in hex
  std::vector<Waiver> waivers;
};

// `path` is a file, or a folder that may hold NAME.waivers for a backend of that name.
// Errors: io (it is not there, cannot be read, or `interrupted` is set meanwhile), bad_literal as
// parse_waivers.
Result<WaiverFile> read_waivers(const std::string& path, const std::string& backend,
                                const std::atomic<bool>* interrupted = nullptr);

// The files at `path`: itself, or the *.waivers in it where it is a folder.
std::vector<std::string> waiver_files(const std::string& path);

// Reads all there is at `path`, so that a mistake shows before anything is run.
Result<Done> check_waivers(const std::string& path, const std::atomic<bool>* interrupted = nullptr);

// Where waivers of that backend are read from or written to: `path` itself, or a file in it where it is a
// folder, or is to become one (it ends with a '/').
std::string waivers_path(const std::string& path, const std::string& backend);

}  // namespace certile
