#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/call.hpp"
#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile {

// A file or a package that an implementation is made of.
struct Part {
  std::string name, version;  // no version: empty
  std::string digest;         // SHA-256, in hex
  bool operator==(const Part&) const = default;
};

// The claim of a backend: its definitions × types × repeats types, each pair cut to what the definition's
// text allows.  Beyond the limits a refusal is `unsupported`, not a failure.
struct Description {
  std::string name;     // "simd-avx2": lower case, stable, the key in reports and waivers
  std::string version;  // of the implementation, not of the wrapper
  std::vector<DefinitionId> definitions;
  std::vector<ElementType> types;
  std::vector<ElementType> repeats_types;
  std::optional<int> max_rank;               // of data and output
  std::optional<std::int64_t> max_elements;  // of the output
  std::optional<std::int64_t> max_bytes;     // of the output
  bool infers = true;                        // false: a bare kernel without shape inference
  bool in_process = true;        // false: computes in another process and never sees the caller's memory
  std::vector<Part> parts = {};  // of a worker: what it reports, besides the files of its command
  bool operator==(const Description&) const = default;
};

// The whole contract of a backend is these three functions.
class Backend {
 public:
  virtual ~Backend() = default;

  // Returns the claim.  A refusal outside the claim is `unsupported`; a wrong answer there is still a
  // failure. Certificates print the claim next to the result.
  virtual Description describe() const = 0;

  // Returns the shape that `run` will fill, or Code::rejected if the definition refuses this call.
  virtual Result<Shape> infer(const Call& call) = 0;

  // The changes that a call made besides filling the output.
  struct Filled {
    bool moved = false;     // the descriptor has another data pointer now, or says another alignment
    bool reshaped = false;  // its rank, shape or byte size
    bool retyped = false;   // its element type or bits
    std::string what = {};  // of a backend in another process: what it returned instead; `out` is unchanged
    std::optional<Shape> shape = {};  // the shape that it returned instead
  };

  // Fills `out`, whose shape `infer` returned: every byte of it, nothing outside it, and no input changes.
  // May be called repeatedly, and from several threads at once.  A call that `infer` refuses must be refused
  // here too, and nothing written.  A plugin that changes the descriptor breaks CT-ALIAS; Filled reports the
  // change, which Error::Code::backend_failed would hide.
  virtual Result<Filled> run(const Call& call, MutableTensorView out) = 0;
};

// The `clause` of an error from a run() that changed the output's descriptor before it refused.
inline constexpr std::string_view wrote_and_refused = "wrote and refused";

}  // namespace certile
