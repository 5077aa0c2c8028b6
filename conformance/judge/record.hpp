#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/facts/outcome.hpp"
#include "reference/values/case.hpp"

namespace certile {

// What the judge makes of a case.
enum class Verdict { pass, fail, unsupported, waived, stale_waiver, inconclusive, not_run };
inline constexpr int verdict_count = 7;
std::string_view name(Verdict verdict) noexcept;  // "stale-waiver"
std::optional<Verdict> verdict_named(std::string_view name) noexcept;

// One line of a run; every report, table and certificate is derived from these.
// A record starts life as not_run, so an aborted run can never read as a pass.
struct Record {
  std::string case_literal;
  std::string backend;
  DefinitionId definition{};
  ElementType type = ElementType::f32;      // of the data
  std::vector<std::string_view> exercised;  // the clauses this case speaks about; ids of reference/spec
  std::string violated;                     // the one clause a failure is charged to
  Verdict verdict = Verdict::not_run;
  Fault fault = Fault::none;
  bool vacuous = false;     // passed, but the output has no elements
  std::string explanation;  // line 1: the summary; then: first wrong element, how to look closer
  // The literals of the `certile run` that shows it again, in order; empty where that was not tried, since
  // many others of its clause were.
  std::vector<std::string> reproduce;
  std::string law = {};  // the law that this answer broke; empty for a case of the plan
};

}  // namespace certile
