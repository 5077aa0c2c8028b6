#pragma once
#include <string>
#include <variant>

#include "conformance/judge/judge.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

// Claims, observations and verdicts for the judge's tests.
namespace certile::conformance {

// Returns a claim of everything; tests remove parts of it.
inline Claim whole_claim() {
  Claim claim;
  claim.name = "mine";
  claim.definitions = all_definitions();
  claim.types = TypeSet::all();
  claim.repeats_types = claim.types;
  return claim;
}

inline Claim claim_of_f32() {
  Claim claim = whole_claim();
  claim.types = {ElementType::f32};
  return claim;
}

inline Expectation expected_of(const std::string& literal) {
  return *expect(*parse_case(literal));
}

// Returns the observation of a backend that answers this case right.
inline Observation right_answer(const std::string& literal) {
  Observation seen;
  const auto answer = std::get<Answer>(expected_of(literal));
  seen.inferred = answer.shape;
  seen.outcome = Produced{answer.tensors};
  return seen;
}

// Returns the data of a literal that begins like this: a tensor, spelled out.
inline Tensor tensor(const std::string& spelling) {
  return data_of(*parse_case("openvino-tile-1 " + spelling + " x i64{}"));
}

// Returns the observation of the right shape with these elements.
inline Observation gave(const std::string& output) {
  Observation seen;
  seen.inferred = tensor(output).shape();
  seen.outcome = Produced{{tensor(output)}};
  return seen;
}

inline Observation ended(Outcome outcome) {
  Observation seen;
  seen.outcome = std::move(outcome);
  return seen;
}

inline Record judged(const std::string& literal, const Observation& seen, const Claim& claim = whole_claim(),
                     Transport transport = shared_memory) {
  const Case question = *parse_case(literal);
  return judge({question, literal, {}}, claim, transport, seen, expected_of(literal));
}

// Returns the verdict in words: "fail elements OV-T1-G2".
inline std::string verdict(const std::string& literal, const Observation& seen,
                           const Claim& claim = whole_claim(), Transport transport = shared_memory) {
  const Record record = judged(literal, seen, claim, transport);
  std::string text(name(record.now().verdict));
  if (record.now().fault != Fault::none) text.append(" ").append(name(record.now().fault));
  if (!record.now().charged.empty()) text.append(" ").append(record.now().charged);
  return text;
}

inline const std::string legal = "openvino-tile-1 f32[2] x i64{2}";
inline const std::string beyond_claim = "openvino-tile-1 f64[2] x i64{2}";
inline const std::string illegal = "onnx-tile-13 f32[1] x i64{-1}";

}  // namespace certile::conformance
