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

// Something that an implementation is made of: a file, a package.
struct Part {
  std::string name, version;  // no version: empty
  std::string digest;         // SHA-256, in hex
  bool operator==(const Part&) const = default;
};

// What an implementation says of itself: its claim.  What counts is definitions × types × repeats types, each
// pair cut to what the definition's own text allows; beyond the limits a refusal is `unsupported`, not a
// failure.
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
  bool in_process = true;  // false: it computes in a process of its own, and never sees the caller's memory
  std::vector<Part> parts = {};  // of a worker that says what it is made of, beside the files of its command
  bool operator==(const Description&) const = default;
};

// The whole contract of a backend is these three functions.
class Backend {
 public:
  virtual ~Backend() = default;

  // What it claims.  A refusal outside the claim is `unsupported`; a wrong answer there is still a failure. A
  // certificate prints the claim beside the result.
  virtual Description describe() const = 0;

  // The shape `run` will fill, or Code::rejected when the definition refuses this call.
  virtual Result<Shape> infer(const Call& call) = 0;

  // Fills `out`, whose shape is the one `infer` gave: every byte of it, nothing outside it, and the inputs
  // stay as they were.  May be called again and again, and from several threads at once.  For a call that
  // `infer` refuses it must refuse as well, and write nothing.  A plugin may change the descriptor it is
  // given, which breaks CT-ALIAS; the answer then says what it changed (Error::Code::backend_failed would
  // hide it), hence Filled.
  struct Filled {
    bool moved = false;     // the descriptor has another data pointer now, or says another alignment
    bool reshaped = false;  // its rank, shape or byte size
    bool retyped = false;   // its element type or bits
    std::string what = {};  // of a backend in a process of its own: what came instead; `out` is as it was
    std::optional<Shape> shape = {};  // the shape that came instead of the one of `out`
  };
  virtual Result<Filled> run(const Call& call, MutableTensorView out) = 0;
};

// Stands in the `clause` of an error of run() that changed the output's descriptor before it refused.
inline constexpr std::string_view wrote_and_refused = "wrote and refused";

}  // namespace certile
