#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/values/definition_id.hpp"
#include "reference/values/type_set.hpp"

namespace certile::backends {

// A file or a package that an implementation is made of.
struct Part {
  std::string name, version;  // no version: empty
  std::string digest;         // SHA-256, in hex
  bool operator==(const Part&) const = default;
};

// The statement of a backend about what it does: its definitions × types × repeats types, each pair cut to
// what the definition's text allows.  Beyond the limits a refusal is `unsupported`, not a failure; a wrong
// answer is a failure everywhere.  Certificates print the claim next to the result.
struct Claim {
  std::string name;     // "simd-avx2": lower case, stable, the key in reports and waivers
  std::string version;  // of the implementation, not of the wrapper
  std::vector<DefinitionId> definitions;
  TypeSet types;
  TypeSet repeats_types;
  std::optional<std::int64_t> max_rank;      // of data and output
  std::optional<std::int64_t> max_elements;  // of the output
  std::optional<std::int64_t> max_bytes;     // of the output
  bool infers = true;                        // false: a bare kernel without shape inference
  std::vector<Part> parts = {};              // of a worker: what it reports, besides the files of its command
  bool operator==(const Claim&) const = default;
};

}  // namespace certile::backends
