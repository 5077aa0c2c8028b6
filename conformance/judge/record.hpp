#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/facts/outcome.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {

// A verdict on a case.
enum class Verdict { pass, fail, unsupported, waived, stale_waiver, inconclusive, not_run };
inline constexpr int verdict_count = 7;
std::string_view name(Verdict verdict) noexcept;  // "stale-waiver"
std::optional<Verdict> verdict_named(std::string_view name) noexcept;

// A reason for which a case was not asked, or a failure not asked again.
enum class Reason {
  none,
  stopped,          // the run was
  time_was_up,      // calls crash, hang, run out of memory or take seconds
  all_in_vain,      // hundreds of calls in a row crashed, hung or ran out of memory
  not_confirmed,    // it timed out, and other calls had hung
  not_asked_again,  // other failures of its clause were
};
inline constexpr int reason_count = 6;
std::string_view name(Reason reason) noexcept;  // "time-was-up"
std::optional<Reason> reason_named(std::string_view name) noexcept;
// Returns the reason in words, for people; empty for none.
std::string_view sentence(Reason reason) noexcept;

// A finding about a case.  It starts as not_run, so an aborted run can never read as a pass.  The ids of
// clauses live as long as the program, or as the header of the file that lists them.
struct Finding {
  Verdict verdict = Verdict::not_run;
  Fault fault = Fault::none;
  std::string_view charged = {};  // the id of the one clause that a failure is charged to
  std::string words = {};         // line 1: the summary; then: first wrong element, advice
  Reason reason = Reason::none;
  std::size_t printed_at = std::string::npos;  // where, in the words, what the process printed begins
};

// The output of a failing call, as far as a record has it.
struct SmallOutput {
  std::string elements;                 // as an operand of a literal: "f32[2,2]{1,2,3,4}"
  std::vector<std::int64_t> unwritten;  // the indices of the elements that the call did not write, rising
};

// The finding of the judge, which is never changed.
struct Judgement : Finding {
  std::vector<std::string_view> exercised = {};  // the ids of the clauses that this case exercises
  bool vacuous = false;                          // the output has no elements, so a pass proves little
  std::optional<SmallOutput> output = {};        // of a failure
};

// A later finding, which is added to a record and replaces nothing.
struct Amendment : Finding {
  enum class By { diagnosis, closing, waiver, stopped } by = By::diagnosis;
  // The literals of a `certile run` that reproduces the failure, in order; empty if that was not tried.
  std::vector<std::string> reproduce = {};
};
inline constexpr int author_count = 4;
std::string_view name(Amendment::By author) noexcept;
std::optional<Amendment::By> author_named(std::string_view name) noexcept;

// One case of a run; every report, table and certificate is derived from records.
struct Record {
  std::string literal;
  std::string backend;
  DefinitionId definition{};
  ElementType type = ElementType::f32;  // of the data
  std::string law = {};                 // the law that this answer broke; empty for a case of the plan
  Judgement judged = {};
  std::vector<Amendment> amendments = {};

  // Returns the last finding, which reports show and count.
  const Finding& now() const noexcept;
  // Returns the literals that reproduce the failure, of the last amendment that has some.
  const std::vector<std::string>& reproduce() const noexcept;
  // Returns true if the failure was asked again.  Without literals that reproduce it, it passed then.
  bool was_asked_again() const noexcept;
  bool is_vacuous() const noexcept { return judged.vacuous && now().verdict == Verdict::pass; }
  // Adds an amendment by `author`: the last finding with one more line of words.
  void annotate(Amendment::By author, const std::string& line);
  // Adds the amendment of a failure that was not asked again.
  void leave_as_found();
};

// Returns the output of a call, if it is small enough for a record: so that a reader of the record sees all
// wrong elements, and not only the first.  Nothing if there is none, or several, one for each concurrent
// call.
std::optional<SmallOutput> small_output(const Observation& seen);

// A measure by which "first" and "smallest" order failing cases everywhere.  The lesser is the plainer: no
// fill and no literal too long for a screen; elements; then fewer axes of the data, fewer elements of the
// data, common types (f32, u8, i32, i64) before others, the shorter literal, and at last the order of
// literals.  A literal that cannot be read, of another version, is the last.
struct Plainness {
  bool is_unreadable = false, has_fill = false, is_empty = false;
  std::size_t axes = 0;
  std::int64_t elements = 0;
  bool is_rare_type = false;
  std::size_t length = 0;
  std::string literal;
  auto operator<=>(const Plainness&) const = default;
};

Plainness plainness_of(const Case& question, const std::string& literal);
// Returns the same for a literal, as records have it.
Plainness plainness_of(const std::string& literal);

}  // namespace certile::conformance
