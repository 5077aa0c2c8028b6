#include "conformance/laws/laws.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "conformance/laws/tensor_algebra.hpp"
#include "reference/oracle/definition.hpp"

namespace certile::conformance {

namespace {

constexpr std::array table{
    Law{"tiling-by-ones", "tiling by ones is the identity", tiling_by_ones},
    Law{"tiling-twice", "tiling twice is tiling once by the products", tiling_twice},
    Law{"axis-order", "tiling axis by axis gives the same in every order of the axes", axis_order},
    Law{"periodic", "along every axis the answer repeats itself with the data's dimension", periodic},
    Law{"concatenation", "one more repeat is one more copy at the end of the axis", concatenation},
    Law{"kronecker", "the answer is Kronecker's product of ones with the data", kronecker},
    Law{"explicit-ones", "ones written out, in front or behind, change nothing but the rank", explicit_ones},
    Law{"permuted-axes", "permuting the axes before or after is the same", permuted_axes},
    Law{"reinterpreted-type", "the bits move alike, whatever type of the same width they are",
        reinterpreted_type},
    Law{"zero-repeats", "a repeat of zero on any axis makes that dimension zero, and no other", zero_repeats},
    Law{"any-placement", "where the buffers lie changes nothing", any_placement},
    Law{"concurrent-calls", "calls made at the same time answer as they do one by one", concurrent_calls},
};

// Returns true if the question is within the claim, because calls beyond it may be refused.
bool is_claimed(const Scope& scope, const Case& question) {
  const auto has = [](const std::vector<ElementType>& types, ElementType type) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  return has(scope.types(), question.data.type()) && has(scope.repeats_types(), question.repeats.type()) &&
         (!question.axis || has(scope.repeats_types(), question.axis->type())) &&
         scope.within_limits(question);
}

// Finds the first of a broken law's calls that was answered wrongly.
Result<Done> find_wrong_call(const LawTrial& trial, const Law& law, const LawAsker& asker,
                             LawFinding& finding) {
  for (const auto& [call, seen] : trial.calls()) {
    const Case question = spelled_out(call);
    TRY(auto record, judged_by_oracles(question, seen, asker.claim(), asker.transport()));
    if (record.literal.size() <= longest_literal) finding.asked.push_back(planned_case(question));
    if (record.judged.verdict != Verdict::fail) continue;
    finding.record = std::move(record);
    return Done{};
  }
  return Error{Error::Code::backend_failed, "the oracles and the law '" + std::string(law.name) +
                                                "' disagree about " + to_string(trial.question())};
}

}  // namespace

std::span<const Law> all_laws() noexcept {
  return table;
}

const Law* law_named(std::string_view name) noexcept {
  const auto found = std::ranges::find(table, name, &Law::name);
  return found == table.end() ? nullptr : &*found;
}

Result<LawFinding> try_law(const Law& law, const Case& question, LawAsker& asker) {
  auto tiling = tiling_of(question);
  const auto output = tiling ? tiled_shape(question.data.type(), *tiling) : std::nullopt;
  if (!output || !is_claimed(asker.scope(question.definition), question))
    return LawFinding{.word = LawWord::does_not_apply};
  LawTrial trial(question, *std::move(tiling), *output, asker);
  law.try_on(trial);
  if (trial.failure()) return *trial.failure();
  LawFinding finding{.word = trial.word(), .evidence = trial.evidence(), .calls = trial.calls().size()};
  if (finding.word != LawWord::broken) return finding;
  if (const auto found = find_wrong_call(trial, law, asker, finding); !found) return found.error();
  return finding;
}

namespace {

Shape picked(const Shape& shape, const std::vector<std::size_t>& order) {
  Shape result;
  for (const std::size_t axis : order)
    result.push_back(shape[axis]);
  return result;
}

}  // namespace

void periodic(LawTrial& trial) {
  const auto output = trial.whole();
  if (!output) return;
  for (std::size_t axis = 0; axis < trial.rank(); ++axis) {
    const auto place = first_break_of_period(*output, axis, trial.tiling().shape[axis]);
    if (!place) continue;
    return trial.break_with("element " + std::to_string(*place) + " of the output is not the one " +
                            std::to_string(trial.tiling().shape[axis]) + " further along axis " +
                            std::to_string(axis));
  }
}

void concatenation(LawTrial& trial) {
  Shape times = trial.tiling().times;
  const auto most = std::max_element(times.begin(), times.end());
  if (most == times.end() || *most < 2) return trial.skip();
  const auto axis = static_cast<std::size_t>(most - times.begin());
  const auto all = trial.whole();
  --*most;
  const auto one_less = trial.tiled(trial.data(), times);
  *most = 1;
  const auto one = trial.tiled(trial.data(), times);
  if (all && one_less && one)
    trial.demand_same(*all, concatenated(*one_less, *one, axis),
                      "one more repeat of axis " + std::to_string(axis) + " adds one more copy at its end");
}

void kronecker(LawTrial& trial) {
  if (const auto output = trial.whole())
    trial.demand_same(*output, kronecker_of_ones(trial.tiling().times, trial.data()),
                      "the answer is the product of ones with the data");
}

void permuted_axes(LawTrial& trial) {
  if (trial.rank() < 2) return trial.skip();
  const auto plain = trial.whole();
  if (!plain) return;
  std::vector<std::size_t> order(trial.rank());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // First a rotation to the left, then a reversal; for two axes both are the same.
  for (const bool reversed : {false, true}) {
    if (reversed && trial.rank() == 2) return;
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (reversed)
      std::reverse(order.begin(), order.end());
    else
      std::rotate(order.begin(), order.begin() + 1, order.end());
    const auto same = trial.tiled(permuted(trial.data(), order), picked(trial.tiling().times, order));
    if (!same) return;
    trial.demand_same(*same, permuted(*plain, order), "permuted before as permuted after");
  }
}

namespace {

// Returns true if another type may have the same bits: a string is a view, and only 0 and 1 are booleans.
bool can_become(ElementType from, ElementType to) {
  return from != to && bits(from) == bits(to) && from != ElementType::string && to != ElementType::string &&
         to != ElementType::boolean;
}

}  // namespace

void reinterpreted_type(LawTrial& trial) {
  std::vector<ElementType> others;
  for (const ElementType type : trial.scope().types())
    if (can_become(trial.data().type(), type)) others.push_back(type);
  if (others.empty()) return trial.skip();
  const auto plain = trial.whole();
  for (const ElementType type : others) {
    const auto same = trial.tiled(reinterpreted(trial.data(), type), trial.tiling().times);
    if (!plain || !same) return;
    trial.demand_same(reinterpreted(*same, plain->type()), *plain,
                      "as " + std::string(name(type)) + " the same bits move");
  }
}

void any_placement(LawTrial& trial) {
  const Placement plain{};
  const auto usual = trial.whole_at(plain);
  if (usual.empty()) return;
  const int width = std::max(bits(trial.data().type()) / 8, 1);
  std::vector<Placement> others{{.guard = Placement::Guard::before}, {.guard = Placement::Guard::after}};
  for (const int offset : {1, 3, 5})
    if (width * offset < 64) others.push_back({.offset = width * offset});
  for (const Placement& other : others) {
    const auto elsewhere = trial.whole_at(other);
    if (elsewhere.empty()) return;
    trial.demand_same(elsewhere.front(), usual.front(), "where the buffers lie changes nothing");
  }
}

void concurrent_calls(LawTrial& trial) {
  const auto together = trial.whole_at({.threads = 3});
  if (together.empty()) return;
  // The first thread has the data of a single call.
  const auto alone = trial.whole_at({});
  if (alone.empty()) return;
  trial.demand_same(together.front(), alone.front(), "a call among others as a call alone");
  for (const Tensor& output : together)
    for (std::size_t axis = 0; axis < trial.rank(); ++axis)
      if (first_break_of_period(output, axis, trial.tiling().shape[axis]))
        return trial.break_with(
            "the answer to one of three concurrent calls does not repeat itself along axis " +
            std::to_string(axis));
}

namespace {

Shape ones(std::size_t length) {
  return Shape(length, 1);
}

// Returns the repeats of one axis; the others are 1.
Shape times_along(std::size_t rank, std::size_t axis, std::int64_t times) {
  Shape repeats = ones(rank);
  repeats[axis] = times;
  return repeats;
}

Shape with_one(Shape shape, bool in_front) {
  shape.insert(in_front ? shape.begin() : shape.end(), 1);
  return shape;
}

}  // namespace

void tiling_by_ones(LawTrial& trial) {
  if (const auto same = trial.tiled(trial.data(), ones(trial.rank())))
    trial.demand_same(*same, trial.data(), "tiling by ones gives the data");
}

void tiling_twice(LawTrial& trial) {
  const Tiling& tiling = trial.tiling();
  if (trial.rank() == 0) return trial.skip();
  const auto first = trial.whole();
  if (!first) return;
  // Alternates 2 and 3, as long as the output is small enough for a law.
  Shape again = ones(trial.rank());
  Shape product = tiling.times;
  for (std::size_t axis = 0; axis < trial.rank(); ++axis) {
    const std::int64_t factor = axis % 2 == 0 ? 2 : 3;
    product[axis] *= factor;
    if (tiled_shape(first->type(), {tiling.shape, product}))
      again[axis] = factor;
    else
      product[axis] = tiling.times[axis];
  }
  const auto twice = trial.tiled(*first, again);
  const auto once = trial.tiled(trial.data(), product);
  if (twice && once) trial.demand_same(*twice, *once, "tiling the answer again gives that of the products");
}

void axis_order(LawTrial& trial) {
  // One axis has no order; onnx-tile-1 repeats only one, so another axis is added.
  if (trial.rank() < 2) return trial.skip();
  Shape times = trial.tiling().times;
  std::size_t repeated = 0;
  for (const std::int64_t each : times)
    repeated += each != 1 ? 1 : 0;
  for (std::size_t axis = 0; axis < times.size() && repeated < 2; ++axis) {
    if (times[axis] != 1) continue;
    times[axis] = 2;
    ++repeated;
  }
  std::optional<Tensor> forwards = trial.data();
  std::optional<Tensor> backwards = trial.data();
  for (std::size_t step = 0; step < times.size(); ++step) {
    const std::size_t last = times.size() - 1 - step;
    if (times[step] != 1) forwards = trial.tiled(*forwards, times_along(times.size(), step, times[step]));
    if (!forwards) return;
    if (times[last] != 1) backwards = trial.tiled(*backwards, times_along(times.size(), last, times[last]));
    if (!backwards) return;
  }
  trial.demand_same(*forwards, *backwards, "from the first axis to the last as from the last to the first");
  if (has_axis(trial.question().definition)) return;
  if (const auto at_once = trial.tiled(trial.data(), times))
    trial.demand_same(*at_once, *forwards, "all axes at once as one after the other");
}

void explicit_ones(LawTrial& trial) {
  const Tiling& tiling = trial.tiling();
  const auto plain = trial.whole();
  if (!plain) return;
  for (const bool in_front : {true, false}) {
    const Shape shape = with_one(trial.output_shape(), in_front);
    const auto same = trial.tiled(trial.data().reshaped(with_one(tiling.shape, in_front)),
                                  with_one(tiling.times, in_front));
    if (!same) return;
    trial.demand_same(*same, plain->reshaped(shape),
                      in_front ? "ones in front change nothing" : "ones behind change nothing");
  }
  if (oracle::rules_of(trial.question().definition).length != oracle::Length::any) return;
  // Spells out, on one side only, what promotion inserts in front.
  const Shape shape = with_one(trial.output_shape(), true);
  const auto longer_repeats = trial.called(trial.data(), with_one(tiling.times, true), shape);
  if (longer_repeats)
    trial.demand_same(*longer_repeats, plain->reshaped(shape), "a one in front of the repeats alone");
  const Tensor longer_data = trial.data().reshaped(with_one(tiling.shape, true));
  const auto same = trial.called(longer_data, tiling.times, shape);
  if (same) trial.demand_same(*same, plain->reshaped(shape), "a one in front of the data's shape alone");
}

void zero_repeats(LawTrial& trial) {
  for (std::size_t axis = 0; axis < trial.rank(); ++axis) {
    Shape times = trial.tiling().times;
    times[axis] = 0;
    Shape empty = trial.output_shape();
    empty[axis] = 0;
    const auto nothing = trial.tiled(trial.data(), times);
    if (!nothing) return;
    trial.demand_same(*nothing, Tensor(trial.data().type(), empty),
                      "a repeat of 0 on axis " + std::to_string(axis));
  }
  if (trial.rank() == 0) trial.skip();
}

}  // namespace certile::conformance
