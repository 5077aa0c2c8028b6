// Tests every built-in backend against the first oracle: exhaustively on small shapes, and with types, fills
// and long rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "backends/plugin/status.hpp"
#include "backends/registry/registry.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/oracle_calls.hpp"
#include "reference/values/tensor.hpp"

namespace certile::backends {

// Prints the parameter for the names of tests.
void PrintTo(const BuiltIn& each, std::ostream* out) {
  *out << each.name;
}
namespace {

// Returns the backend's answer to the case, in the words of `expected`.
std::string answer(const Plugin& backend, const Case& question, const Tensor& data) {
  const PluginCall call(question, data);
  const Inferred inferred = backend.infer(call);
  const bool refused = inferred.status == Status::rejected;
  if (inferred.status != Status::ok && !refused) return "failed: " + inferred.message;
  // `run` must refuse what `infer` refuses, and leave the output unchanged.
  Tensor out = Tensor::for_output_of(data, refused ? data.shape() : inferred.shape);
  std::fill(out.bytes().begin(), out.bytes().end(), std::byte{0xA5});
  const Ran ran = backend.run(call, c_tensor(out.mutable_view()));
  if (ran.changed_descriptor()) return "the descriptor was changed";
  if (refused) {
    const bool kept =
        std::ranges::all_of(out.bytes(), [](std::byte each) { return each == std::byte{0xA5}; });
    return ran.status == Status::rejected && kept ? "rejected" : "run did not refuse cleanly";
  }
  return ran.status == Status::ok ? to_string(out) : "failed: " + ran.message;
}

std::string expected(const Case& question, const Tensor& data) {
  const auto output = oracle::tile(question, data);
  return output ? to_string(*output) : "rejected";
}

void expect_agreement(const Plugin& backend, const std::string& literal) {
  const auto question = parse_case(literal);
  ASSERT_TRUE(question) << literal << ": " << question.error().what;
  const Tensor data = data_of(*question);
  EXPECT_EQ(answer(backend, *question, data), expected(*question, data)) << literal;
}

std::string numbers(const std::vector<std::int64_t>& values, char open, char close) {
  std::string text(1, open);
  for (const std::int64_t value : values)
    text += (text.size() > 1 ? "," : "") + std::to_string(value);
  return text + close;
}

// Returns every list of up to `longest` numbers from `least` to `most`.
std::vector<std::vector<std::int64_t>> lists(std::size_t longest, std::int64_t least, std::int64_t most) {
  std::vector<std::vector<std::int64_t>> all{{}};
  for (std::size_t begin = 0; begin < all.size() && all[begin].size() < longest; ++begin)
    for (std::int64_t value = least; value <= most; ++value) {
      all.push_back(all[begin]);
      all.back().push_back(value);
    }
  return all;
}

class BuiltInBackend : public testing::TestWithParam<BuiltIn> {
 protected:
  void SetUp() override {
    if (!GetParam().unavailable().empty()) GTEST_SKIP() << GetParam().unavailable();
    auto opened = Plugin::open(std::string(GetParam().name), GetParam().open);
    ASSERT_TRUE(opened);
    backend_.emplace(*std::move(opened));
    claim_ = backend_->claim();
  }

  std::optional<Plugin> backend_;
  Claim claim_;
};

TEST_P(BuiltInBackend, DescribesItselfByTheNameItIsListedUnder) {
  EXPECT_EQ(claim_.name, GetParam().name);
  EXPECT_TRUE(std::is_permutation(claim_.definitions.begin(), claim_.definitions.end(),
                                  all_definitions().begin(), all_definitions().end()));
  EXPECT_TRUE(claim_.infers);
}

TEST_P(BuiltInBackend, TilesEverySmallShapeAsOpenvinoSays) {
  for (const auto& shape : lists(3, 0, 2))
    for (const auto& repeats : lists(3, 0, 2))
      expect_agreement(*backend_, "openvino-tile-1 f32" + numbers(shape, '[', ']') + " x i64" +
                                      numbers(repeats, '{', '}'));
}

TEST_P(BuiltInBackend, TilesEverySmallShapeAsOnnxSays) {
  for (const auto& shape : lists(2, 0, 3))
    for (const auto& repeats : lists(2, -1, 3))
      expect_agreement(*backend_,
                       "onnx-tile-13 u16" + numbers(shape, '[', ']') + " x i64" + numbers(repeats, '{', '}'));
}

TEST_P(BuiltInBackend, TilesAlongEveryAxisAsOnnx1Says) {
  for (const auto& shape : lists(3, 0, 2))
    for (int axis = -4; axis <= 3; ++axis)
      expect_agreement(*backend_, "onnx-tile-1 f64" + numbers(shape, '[', ']') + " x f64[]{3} along i64{" +
                                      std::to_string(axis) + "}");
}

TEST_P(BuiltInBackend, MovesEveryClaimedTypeBitForBit) {
  for (const ElementType type : claim_.types)
    for (const char* rest :
         {"[2,3,5] x i64{3,2,2}", "[7] x i64{5,1,2}", "[3,1,5] x i64{1,4,1}", "[] x i64{3}"})
      for (const char* fill : {"", " fill=bits:7", " fill=special:3"})
        expect_agreement(*backend_, "openvino-tile-1 " + std::string(name(type)) + rest + fill);
}

TEST_P(BuiltInBackend, RefusesTypesOutsideItsClaimAsUnsupported) {
  for (const ElementType type : all_element_types()) {
    if (claim_.types.contains(type)) continue;
    const auto question = parse_case("openvino-tile-1 " + std::string(name(type)) + "[3] x i64{2}");
    ASSERT_TRUE(question);
    const Tensor data = data_of(*question);
    Tensor out(type, {6});
    const PluginCall call(*question, data);
    EXPECT_EQ(backend_->infer(call).status, Status::unsupported) << name(type);
    EXPECT_EQ(backend_->run(call, c_tensor(out.mutable_view())).status, Status::unsupported) << name(type);
  }
}

TEST_P(BuiltInBackend, TilesRowsOfEveryLengthAroundVectorWidths) {
  for (const int length : {1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 257})
    for (const char* type : {"u8", "bf16", "f32", "i64", "c128", "string"})
      for (const char* repeats : {"{2,3}", "{1,33}", "{3,1}"})
        expect_agreement(*backend_, "openvino-tile-1 " + std::string(type) + "[2," + std::to_string(length) +
                                        "] x i64" + repeats);
}

TEST_P(BuiltInBackend, TilesHighRanks) {
  expect_agreement(*backend_, "onnx-tile-6 u8[2,3,2,3,2,3] x i64{2,2,2,3,2,2}");
  expect_agreement(*backend_, "openvino-tile-1 i16[2,1,3,1,2,2,1,3,2] x i64{2,3,1,2,2,2,2,1,3}");
  expect_agreement(*backend_, "openvino-tile-1 c128[2,2,2,2,2] x i64{2,2,1,2,2,2,2}");
  expect_agreement(*backend_, "openvino-tile-1 f32[2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3] x i64{2}");
}

TEST_P(BuiltInBackend, NeverAsksAnOracle) {
  const auto question = parse_case("openvino-tile-1 f32[2,3] x i64{2,2,2}");
  ASSERT_TRUE(question);
  const Tensor data = data_of(*question);
  const std::uint64_t before = oracle_calls.load();
  EXPECT_EQ(answer(*backend_, *question, data).substr(0, 10), "f32[2,4,6]");
  EXPECT_EQ(oracle_calls.load(), before);
}

TEST_P(BuiltInBackend, RefusesAnOutputOfAnotherShape) {
  const auto question = parse_case("openvino-tile-1 f32[2,3] x i64{2,2}");
  ASSERT_TRUE(question);
  const Tensor data = data_of(*question);
  Tensor out(ElementType::f32, {4, 5});
  const Ran ran = backend_->run(PluginCall(*question, data), c_tensor(out.mutable_view()));
  EXPECT_EQ(ran.status, Status::failed);
}

INSTANTIATE_TEST_SUITE_P(Each, BuiltInBackend,
                         testing::ValuesIn(built_in_backends().begin(), built_in_backends().end()),
                         [](const auto& each) {
                           std::string identifier(each.param.name);
                           std::replace(identifier.begin(), identifier.end(), '-', '_');
                           return identifier;
                         });

}  // namespace
}  // namespace certile::backends
