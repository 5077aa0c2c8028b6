#pragma once
#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/certificate/key.hpp"
#include "conformance/records/record_stream.hpp"
#include "conformance/records/summary.hpp"
#include "conformance/records/verification.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A bundle: a folder with a certificate and all that it follows from, and nothing else.  Here it is the
// content of each file by name.
using Bundle = std::map<std::string, std::string>;

// The most bytes of the compressed records, of their lines, and of every other file.
inline constexpr std::size_t most_compressed = std::size_t{32} << 20;
inline constexpr std::uint64_t most_lines = std::uint64_t{1} << 30;
inline constexpr std::size_t most_of_a_file = std::size_t{4} << 20;

inline constexpr const char* statement_file = "statement.json";
inline constexpr const char* envelope_file = "statement.dsse.json";
inline constexpr const char* manifest_file = "MANIFEST.sha256";

// Makes the bundle of a run that gives a certificate, signed if there is a key.  `records` are the lines of
// the run's file of records, `waivers` is the text of its waivers, empty without them.  Errors: io if
// libcrypto or zstd fails, or if a text is not the one of the run.
Result<Bundle> make_bundle(const Summary& summary, std::istream& records, const std::string& waivers,
                           const Key* key);

// The checks of a bundle, and of the run in it once its records can be read.
struct BundleVerification {
  std::vector<Check> checks;
  std::optional<Verification> run;
  bool holds() const noexcept;
};

// Checks a bundle, without a backend, in this order, to the first check that does not hold: its list of
// files, their digests, the signature, the records, and that the statement and every other file is what
// follows from the records; then what the records say.  A bundle is signed if and only if a key is given.
// The lines have the SHA-256 that the statement names before one is parsed; then headers and records are
// passed to `also` too.
BundleVerification verify_bundle(const Bundle& bundle, const Key* key, const RecordListener& also = {});

// Returns the lines of the manifest: the SHA-256 and the name of every other file.
std::string manifest_of(const Bundle& bundle);

// Returns a sentence if a folder cannot become a bundle: it exists, and has a file that no bundle has.
std::optional<std::string> no_place_for_bundle(const std::string& folder);
// Writes a bundle into a folder, in place of a bundle that is there.  Error: io.
Result<Done> write_bundle(const std::string& folder, const Bundle& bundle);
// Reads every file of a folder, each of which is a regular file within the limits.  Error: io.
Result<Bundle> read_bundle(const std::string& folder);

}  // namespace certile::conformance
