#pragma once
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/run/session.hpp"
#include "reference/values/result.hpp"

namespace certile {

// Finds out what a failure is about: asks the case again, alone in a fresh process, then with another order
// of the runs, or without its placement, or from one thread, or after the cases that went before it.
class Diagnosis {
 public:
  explicit Diagnosis(IsolateOptions options);

  // Returns what is added to the failure's record: the clause that it is charged to and the literals that
  // show it again. `history`: what the same process was asked before.  Errors: as Session's, and io once it
  // is stopped. `may_search`: asked where a failure needs a history; false: only the last one that was found
  // is tried.
  using MaySearch = std::function<bool()>;
  Result<Amendment> explain(const Judged& failing, std::span<const PlannedCase* const> history,
                            const MaySearch& may_search);

  // So many processes were started to ask again.
  int processes() const noexcept { return processes_; }

 private:
  using Sequence = std::vector<const PlannedCase*>;
  // How a plainer case went wrong, `alone` in a fresh process or after others; `Fault::none` where it did
  // not.
  struct Plainest {
    Fault fault = Fault::none;
    std::string_view charged = {};
    bool alone = false;
  };

  // The last case's judgement, after the others, in a fresh process; the last one is put in that manner.
  Result<Judged> ask_in_order(const Sequence& sequence, Manner manner = Manner::usual);
  Result<Judged> ask_alone(const PlannedCase& planned, Manner manner = Manner::usual);
  // The judgement of a case that the process is asked which answered the last one.
  Result<Judged> ask_next(const PlannedCase& planned);
  Result<Judged> ask(const Sequence& sequence, Manner manner);
  Result<Amendment> explain_alone(Judged alone);
  Result<bool> depends_on_side(const Judged& unsteady);
  Result<Done> blame_placement(Judged& judged);
  Result<Done> blame_plainer_case(const Judged& alone, Amendment& amendment);
  Result<Plainest> ask_plainer(const PlannedCase& planned, bool alone);

  // Of cases with several concurrent calls; in diagnosis_of_threads.cpp.
  Result<Amendment> explain_concurrent(Judged judged);
  Result<std::optional<Amendment>> explain_by_one_call(const Judged& judged);
  Result<std::optional<Amendment>> explain_by_address(const Judged& judged);
  Result<Done> blame_threads(Judged& judged);
  Result<Amendment> explain_rare_race(Judged failing, std::span<const PlannedCase* const> history,
                                      bool may_search);

  // `manner`: that in which the case is put after its history.
  Result<Amendment> explain_by_history(Judged failing, std::span<const PlannedCase* const> history,
                                       bool may_search, Manner manner = Manner::usual);
  Result<Sequence> find_cause(const PlannedCase& planned, std::span<const PlannedCase* const> history,
                              Manner manner);
  Result<bool> fails_after(const Sequence& before, const PlannedCase& planned, Manner manner);
  Result<Sequence> shorten(Sequence before, const PlannedCase& planned, Manner manner);

  IsolateOptions options_;
  std::optional<Session> session_;
  Sequence last_cause_;     // what made the last such failure: often makes the next one too
  int probes_left_ = 0;     // for the failure at hand
  int all_probes_left_;     // for the whole run
  int plainer_left_;        // plainer cases that may still be asked
  std::int64_t work_left_;  // cases that may still be asked in search of histories
  int processes_ = 0;
  std::map<std::string, Plainest> plainer_;  // what the plainer cases came to, by literal
};

// Returns the record of a failure with what its diagnosis adds, or as it is where `options.stop` says so
// meanwhile. `asked`: what its session was asked.
Result<Record> diagnosed(const Judged& failing, std::span<const PlannedCase* const> asked,
                         const IsolateOptions& options);

// True when the rig found this fault.
bool found(const Observation& seen, Fault fault);
// Returns what was seen, judged again.
Amendment judged_again(const Judged& judged, const Claim& claim);

}  // namespace certile
