#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <unordered_map>

#include "conformance/judge/case_traits.hpp"
#include "conformance/judge/clauses.hpp"

namespace certile {
namespace {

// What a pass must have shown to prove a clause.
enum class Proof : std::uint8_t {
  shape,     // the inferred shape
  call,      // that the call was answered as it should be
  run,       // what `run` did, also where the output is empty
  elements,  // elements at their places
};

using Traits = const CaseTraits&;

// When a case that gets an answer speaks about a clause.  A clause that only refusals prove has `never`.
struct Rule {
  std::string_view id;  // on the operators' pages: its last part
  Proof proof;
  bool (*applies)(Traits);
};

bool always(Traits) {
  return true;
}
bool never(Traits) {
  return false;
}
bool some_repeats(Traits it) {
  return it.repeats_count > 0;
}
bool several(Traits it) {
  return it.several;
}
bool zero(Traits it) {
  return it.zero;
}
bool negative(Traits it) {
  return it.negative;
}
bool scalar(Traits it) {
  return it.rank == 0;
}
bool large_dimension(Traits it) {
  return it.large_dimension;
}
bool large_count(Traits it) {
  return it.near_overflow && !it.large_dimension;
}
bool empty_data(Traits it) {
  return it.empty_data;
}
bool packed_data(Traits it) {
  return is_packed(it.question->data.type);
}
// The rig's guards and its look at the inputs belong to calls that are made one at a time.
bool one_at_a_time(Traits it) {
  return it.question->placement.threads == 1;
}

constexpr Rule openvino_1[] = {
    {"G2", Proof::elements, always},
    {"R1", Proof::shape, [](Traits it) { return it.repeats_count > it.rank; }},
    {"R1e", Proof::shape,
     [](Traits it) {
       return it.asks({2, 3}, {"2", "2", "2"});
     }},
    {"R2", Proof::shape, [](Traits it) { return it.repeats_count < it.rank; }},
    {"R2e", Proof::shape,
     [](Traits it) {
       return it.asks({4, 2, 3}, {"2", "2"});
     }},
    {"I1", Proof::call, always},
    {"I2", Proof::call, some_repeats},
    {"I2e", Proof::elements, [](Traits it) { return it.eighty_eight; }},
    {"O1", Proof::shape, always},
    {"O2", Proof::run, always},
    {"T1", Proof::call, always},
    {"T2", Proof::call, always},
    {"E1", Proof::shape,
     [](Traits it) {
       return it.asks({2, 3, 4}, {"1", "2", "3"});
     }},
    {"E2", Proof::shape,
     [](Traits it) {
       return it.asks({2, 3, 4}, {"5", "1", "2", "3"});
     }},
    {"E3", Proof::shape,
     [](Traits it) {
       return it.asks({5, 2, 3, 4}, {"1", "2", "3"});
     }},
    {"X3", Proof::call, never},
    {"X4", Proof::shape, zero},
    {"X5", Proof::shape, negative},
    {"X6", Proof::call, [](Traits it) { return it.repeats_count == 0 && it.rank > 0; }},
    {"X7", Proof::call, scalar},
    {"X9", Proof::shape, large_dimension},
    {"X11", Proof::call, never},
    {"X12", Proof::shape, large_count},
    {"X13", Proof::call, empty_data},
    {"X14", Proof::elements, packed_data},
};

// Tile-13 and Tile-6 alike.
constexpr Rule onnx_13[] = {
    {"S1", Proof::elements, several},
    {"S2", Proof::elements, always},
    {"S3", Proof::call, never},
    {"S4", Proof::elements,
     [](Traits it) {
       return it.asks({2, 2}, {"1", "2"});
     }},
    {"I1", Proof::call, always},
    {"I2", Proof::call, some_repeats},
    {"I3", Proof::call, always},
    {"I4", Proof::elements, some_repeats},
    {"O1", Proof::shape, always},
    {"O2", Proof::shape, some_repeats},
    {"T1", Proof::call, always},
    {"T2", Proof::call, always},
    {"E1", Proof::elements,
     [](Traits it) {
       return it.asks({2, 3, 4, 5}, {"7", "6", "4", "2"});
     }},
    {"E2", Proof::elements,
     [](Traits it) {
       return it.asks({2, 2}, {"2", "2"});
     }},
    {"X1", Proof::call, scalar},
    {"X2", Proof::shape, zero},
    {"X3", Proof::call, never},
    {"X4", Proof::shape, large_dimension},
    {"X6", Proof::shape, large_count},
    {"X7", Proof::call, never},
};

bool has_integer_form(Traits it) {
  return it.question->repeats.type == ElementType::i64 || it.question->axis->type == ElementType::i64;
}

constexpr Rule onnx_1[] = {
    {"S1", Proof::elements, always},
    {"I1", Proof::call, always},
    {"I2", Proof::elements, several},
    {"I3", Proof::elements, several},
    {"O1", Proof::shape, always},
    {"T1", Proof::call, always},
    {"T2", Proof::call, has_integer_form},
    {"X1", Proof::shape, always},
    {"X2", Proof::call, always},
    {"X3", Proof::call, [](Traits it) { return it.negative_axis; }},
    {"X4", Proof::shape, zero},
    {"X5", Proof::call, never},
    {"X6", Proof::shape, large_dimension},
    {"X7", Proof::shape, large_count},
    {"X8", Proof::call, never},
};

// CT-INFER and CT-SELF are not here: no case proves them, but the door through which an implementation was
// reached.
constexpr Rule contract[] = {
    {"CT-BITS", Proof::elements, [](Traits it) { return it.has_telling_bits(); }},
    {"CT-WRITE", Proof::elements, always},
    {"CT-BOUNDS", Proof::run, one_at_a_time},
    {"CT-STATE", Proof::run, one_at_a_time},
    {"CT-INPUT", Proof::run, one_at_a_time},
    {"CT-ALIAS", Proof::elements, one_at_a_time},
    {"CT-STEADY", Proof::elements, always},
    {"CT-PLACE", Proof::elements,
     [](Traits it) {
       return it.question->placement.guard != Placement::Guard::none || it.question->placement.offset != 0;
     }},
    {"CT-THREADS", Proof::elements, [](Traits it) { return it.question->placement.threads > 1; }},
    {"CT-REFUSE", Proof::call, never},
    {"CT-CLAIM", Proof::call, always},
};

// The rules of one operator and of the contract, with whole ids that live as long as the pages.
std::vector<Rule> with_whole_ids(std::string_view prefix, std::span<const Rule> rules) {
  std::vector<Rule> whole;
  for (Rule rule : rules) {
    rule.id = find_requirement(std::string(prefix) + std::string(rule.id))->id;
    whole.push_back(rule);
  }
  for (Rule rule : contract) {
    rule.id = find_requirement(rule.id)->id;
    whole.push_back(rule);
  }
  return whole;
}

const std::vector<Rule>& rules_of(Operator op) {
  // In the order of the enumeration.
  static const std::array<std::vector<Rule>, 4> all = {
      with_whole_ids("OV-T1-", openvino_1), with_whole_ids("ONNX-T1-", onnx_1),
      with_whole_ids("ONNX-T6-", onnx_13), with_whole_ids("ONNX-T13-", onnx_13)};
  return all[static_cast<std::size_t>(op)];
}

const Rule* rule_of(std::string_view id) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const Rule*> rules;
    for (const Operator op : all_operators())
      for (const Rule& rule : rules_of(op))
        rules.emplace(rule.id, &rule);
    return rules;
  }();
  const auto found = index.find(id);
  return found == index.end() ? nullptr : found->second;
}

// Refusing repeats of another length than the rank shows as well that nothing is broadcast.
bool also_refused_by(std::string_view id, std::string_view clause) {
  return (id == "ONNX-T13-S3" && clause == "ONNX-T13-I3") || (id == "ONNX-T6-S3" && clause == "ONNX-T6-I3");
}

template <class Applies>
std::vector<std::string_view> select(Operator op, const std::vector<std::string_view>& cites,
                                     Applies applies) {
  const std::vector<Rule>& rules = rules_of(op);
  std::vector<std::string_view> ids;
  ids.reserve(rules.size());
  for (const Rule& rule : rules) {
    const bool cited = !cites.empty() && std::ranges::find(cites, rule.id) != cites.end();
    if (cited || applies(rule)) ids.push_back(rule.id);
  }
  return ids;
}

}  // namespace

std::vector<std::string_view> exercised_clauses(const Case& question, const Expectation& expected,
                                                const std::vector<std::string_view>& cites) {
  if (std::holds_alternative<Unspecified>(expected)) return {};  // nothing is judged, so nothing is proven
  if (const auto* reject = std::get_if<Reject>(&expected)) {
    const std::string_view refuses = accepted_clause(question, reject->clause, std::nullopt);
    return select(question.op, cites, [&](const Rule& rule) {
      return rule.id == refuses || rule.id == "CT-REFUSE" || also_refused_by(rule.id, reject->clause);
    });
  }
  const CaseTraits traits = traits_of(question);
  const bool shape_only = question.placement.shape_only;
  return select(question.op, cites, [&](const Rule& rule) {
    const bool is_seen = !shape_only || rule.proof == Proof::shape || rule.proof == Proof::call;
    return is_seen && rule.applies(traits);
  });
}

bool needs_shared_memory(std::string_view id) noexcept {
  constexpr std::string_view ids[] = {"CT-WRITE", "CT-BOUNDS", "CT-STATE",  "CT-INPUT",
                                      "CT-ALIAS", "CT-PLACE",  "CT-THREADS"};
  return std::ranges::find(ids, id) != std::end(ids);
}

bool proven_without_elements(std::string_view id) noexcept {
  const Rule* rule = rule_of(id);
  return rule != nullptr && rule->proof != Proof::elements;
}

bool proven_by_shape(std::string_view id) noexcept {
  const Rule* rule = rule_of(id);
  return rule != nullptr && rule->proof == Proof::shape;
}

}  // namespace certile
