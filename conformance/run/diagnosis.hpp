#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conformance/run/session.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// A search for the cause of a failure: asks the case again alone in a fresh process, then with another order
// of the runs, or without its placement, or from one thread, or after earlier cases.
class Diagnosis {
 public:
  using Sequence = std::vector<const PlannedCase*>;

  explicit Diagnosis(IsolateOptions options);

  // Asks the cases in a fresh process, the last one in that manner, and returns the last one's judgement.
  // Errors: as Session's.
  Result<Judged> ask_in_order(const Sequence& sequence, Manner manner = Manner::usual);

  // Returns the amendment of the failure's record: the clause that is charged and the literals that reproduce
  // the failure.  `history` are the cases that the same process was asked before.  `may_search` is called if
  // a failure needs a history; if it returns false, only the last history found is tried.  Errors: as
  // Session's, and io once the run is stopped.
  using MaySearch = std::function<bool()>;
  Result<Amendment> explain(const Judged& failing, std::span<const PlannedCase* const> history,
                            const MaySearch& may_search);

  // Returns the number of processes started to ask again.
  int processes() const noexcept { return processes_; }

 private:
  // The failure of a plainer case, `alone` in a fresh process or after others; `Fault::none` if it passed.
  struct Plainest {
    Fault fault = Fault::none;
    std::string_view charged = {};
    bool alone = false;
  };

  Result<Judged> ask_alone(const PlannedCase& planned, Manner manner = Manner::usual);
  // Asks a case in the process that answered the last one.
  Result<Judged> ask_next(const PlannedCase& planned);
  Result<Judged> ask(const Sequence& sequence, Manner manner);
  Amendment left_open(const Judged& failing) const;
  Result<Amendment> explain_alone(Judged alone);
  // Explains a crash that only an alignment decides.
  Result<std::optional<Amendment>> explain_crash_by_address(const Judged& judged);
  Result<bool> depends_on_side(const Judged& unsteady);
  Result<Done> blame_placement(Judged& judged);
  Result<Done> blame_many_calls(Judged& judged);
  Result<Done> blame_plainer_case(const Judged& alone, Amendment& amendment);
  Result<Plainest> ask_plainer(const PlannedCase& planned, bool alone);

  // Explains a failure by files that earlier calls wrote.
  Result<std::optional<Amendment>> explain_by_files(const Judged& alone);

  // Explains a failure by the surroundings that it needs; nothing if it does not depend on them.
  Result<std::optional<Amendment>> explain_by_surroundings(const PlannedCase& planned, Surroundings fails,
                                                           Surroundings passes);
  Result<std::optional<Amendment>> explain_elsewhere(const Judged& alone, const Amendment& amendment);
  Result<Judged> ask_among(const PlannedCase& planned, Surroundings surroundings);

  // Explains cases with several concurrent calls, with the functions below.
  Result<Amendment> explain_concurrent(Judged judged);
  Result<std::optional<Amendment>> explain_by_call(const Case& call, const char* sentence);
  Result<std::optional<Amendment>> explain_by_one_call(const Judged& judged);
  Result<std::optional<Amendment>> explain_by_address(const Judged& judged);
  Result<Done> blame_threads(Judged& judged);
  Amendment passed_again(const Judged& failing) const;
  Result<Amendment> explain_rare_race(Judged failing, std::span<const PlannedCase* const> history,
                                      bool may_search);

  // Explains a failure by earlier calls; `manner` is for the failing case, after its history.
  Result<Amendment> explain_by_history(Judged failing, std::span<const PlannedCase* const> history,
                                       bool may_search, Manner manner = Manner::usual);
  Result<Sequence> find_related_cause(const PlannedCase& planned, std::span<const PlannedCase* const> history,
                                      Manner manner);
  Result<Sequence> find_cause(const PlannedCase& planned, std::span<const PlannedCase* const> history,
                              Manner manner);
  Result<bool> fails_after(const Sequence& before, const PlannedCase& planned, Manner manner);
  Result<Sequence> shorten(Sequence before, const PlannedCase& planned, Manner manner);

  IsolateOptions options_;
  Surroundings surroundings_;                           // of the next process
  std::set<std::string, std::less<>> asked_elsewhere_;  // clauses of which a failure was
  std::set<std::string, std::less<>> asked_without_files_;
  bool depends_on_files_ = false;  // some failure does
  std::optional<Session> session_;
  Sequence last_cause_;     // the history of the last such failure, which often causes the next one too
  int probes_left_ = 0;     // for the current failure
  int all_probes_left_;     // for the whole run
  int related_left_;        // calls that may still be tried as the one that another needs
  std::int64_t work_left_;  // cases that may still be asked in search of histories
  int processes_ = 0;
  std::chrono::nanoseconds last_took_{};     // the backend's own time for the last sequence of cases
  std::map<std::string, Plainest> plainer_;  // the results of plainer cases, by literal
};

// Returns the record of a failure with the amendment of its diagnosis, or unchanged if `options.stop` returns
// true meanwhile.  `asked` are the cases that its session was asked.
Result<Record> diagnosed(const Judged& failing, std::span<const PlannedCase* const> asked,
                         const IsolateOptions& options);

// Returns true if the rig found this fault.
bool found(const Observation& seen, Fault fault);
// Adds a line to the words, before what the process printed, unless it is empty.
void add_line(Finding& finding, const std::string& line);
void add_first_line(Finding& finding, const std::string& line);
// Judges the observation again.
Amendment judged_again(const Judged& judged, const Claim& claim, Transport transport);

}  // namespace certile::conformance
