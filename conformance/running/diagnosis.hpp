#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/running/session.hpp"
#include "reference/result.hpp"

namespace certile {

// Finds out what a failure is about: asks the case again, alone in a fresh process, then with another order
// of the runs, or without its placement, or after the cases that went before it.
class Diagnosis {
 public:
  explicit Diagnosis(IsolateOptions options);

  // The failure's record, with the clause that it is charged to and the literals that show it again.
  // `history`: what the same process was asked before.  Errors as Session's.
  // `may_search`: asked where a failure needs a history; false: only the last one that was found is tried.
  using MaySearch = std::function<bool()>;
  Result<Record> explain(const Judged& failing, std::span<const PlannedCase* const> history,
                         const MaySearch& may_search);

 private:
  using Sequence = std::vector<const PlannedCase*>;

  // The last case's judgement, after the others, in a fresh process.
  Result<Judged> ask_in_order(const Sequence& sequence, bool left_side_first = false);
  Result<Judged> ask_alone(const PlannedCase& planned, bool left_side_first = false);
  Result<Record> explain_alone(Judged alone);
  Result<bool> depends_on_side(const Judged& unsteady);
  Result<Done> blame_placement(Judged& judged);
  Result<Done> blame_plainer_case(const Judged& alone, Record& record);
  Result<Record> explain_by_history(Judged failing, std::span<const PlannedCase* const> history,
                                    bool may_search);
  Result<Sequence> find_cause(const PlannedCase& planned, std::span<const PlannedCase* const> history);
  Result<bool> fails_after(const Sequence& before, const PlannedCase& planned);
  Result<Sequence> shorten(Sequence before, const PlannedCase& planned);

  IsolateOptions options_;
  std::optional<Session> session_;
  Sequence last_cause_;     // what made the last such failure: often makes the next one too
  int probes_left_ = 0;     // for the failure at hand
  int plainer_left_;        // plainer cases that may still be asked
  std::int64_t work_left_;  // cases that may still be asked in search of histories
};

}  // namespace certile
