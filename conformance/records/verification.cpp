#include "conformance/records/verification.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <unordered_map>
#include <utility>

#include "conformance/judge/difference.hpp"
#include "conformance/judge/judge.hpp"
#include "conformance/records/records_input.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"
#include "reference/values/literal_operand.hpp"
#include "reference/values/literal_scanner.hpp"

namespace certile::conformance {
namespace {

enum Subject { file, pages, the_plan, cases, verdicts, clauses, conformance };
constexpr std::array<std::string_view, 7> subjects = {"file",     "pages",   "plan",       "cases",
                                                      "verdicts", "clauses", "conformance"};

bool is_failure(Verdict verdict) {
  return verdict == Verdict::fail || verdict == Verdict::waived;
}

bool is_same(const Clause& left, const Clause& right) {
  return left.id == right.id && left.kind == right.kind && left.name == right.name &&
         left.testable == right.testable && left.untestable_because == right.untestable_because;
}

// Returns why a finding is impossible for a case with this expectation, or nothing if it is possible.
std::string_view contradiction(const Finding& finding, const Expectation& expected, bool may_be_unsupported) {
  const bool open = std::holds_alternative<Unspecified>(expected);
  const bool refusal = std::holds_alternative<Reject>(expected);
  const Verdict verdict = finding.verdict;
  if (verdict == Verdict::pass && open) return "a pass, although the texts leave the case open";
  if (verdict == Verdict::inconclusive && !open) return "inconclusive, although the texts decide the case";
  if (verdict == Verdict::unsupported && !may_be_unsupported) return "unsupported, although it is claimed";
  if (!is_failure(verdict))
    return finding.fault == Fault::none && finding.charged.empty() ? "" : "a fault without a failure";
  if (finding.fault == Fault::none || finding.charged.empty()) return "a failure without a fault or clause";
  if (finding.fault == Fault::accepted && !refusal) return "accepted, although no refusal is expected";
  if ((finding.fault == Fault::elements || finding.fault == Fault::refused) && (refusal || open))
    return "a wrong answer, although none is expected";
  return "";
}

// Returns why an amendment to a finding is impossible, or nothing if it is possible.
std::string_view contradiction_to(const Finding& before, const Amendment& amendment, bool has_waivers) {
  const bool same = before.fault == amendment.fault && before.charged == amendment.charged;
  switch (amendment.by) {
    case Amendment::By::waiver:
      if (!has_waivers) return "waived in a run without waivers";
      if (amendment.verdict == Verdict::stale_waiver)
        return before.verdict == Verdict::pass ? "" : "a stale waiver, although it did not pass";
      return before.verdict == Verdict::fail && is_failure(amendment.verdict) && same
                 ? ""
                 : "waived, although it did not fail in this way";
    case Amendment::By::closing:
      return before.verdict == Verdict::pass && amendment.verdict == Verdict::fail
                 ? ""
                 : "failed at closing, although it did not pass";
    case Amendment::By::stopped:
      return amendment.verdict == Verdict::not_run ? "" : "judged, although it was stopped";
    case Amendment::By::diagnosis:
      break;
  }
  return before.verdict == Verdict::fail ? "" : "diagnosed, although it did not fail";
}

// Returns why the recorded output of a failure is impossible, or nothing if it is possible.
std::string_view contradiction(const Judgement& judged, const Case& question) {
  if (!judged.output) return "";
  if (judged.verdict != Verdict::fail) return "an output without a failure";
  if (judged.fault != Fault::elements) return "";
  if (!is_small(question)) return "a recorded output, although it is not small";
  const auto expected = expect(question);
  const auto* answer = expected ? std::get_if<Answer>(&*expected) : nullptr;
  LiteralScanner scanner(judged.output->elements);
  const auto seen = take_operand(scanner);
  // A boolean that is neither 0 nor 1 has no spelling that can be read.
  if (answer == nullptr || answer->tensors.size() != 1 || !seen) return "";
  const Tensor& right = answer->tensors.front();
  if (seen->type() != right.type() || seen->shape() != right.shape() || seen->bytes().empty())
    return "a recorded output of another type or shape, although its elements are wrong";
  // What was not written is not in the output, and may have been right by chance.
  if (!judged.output->unwritten.empty()) return "";
  const auto found = difference(right, *seen);
  const bool is_described = found && judged.words.find(describe(*found, right, *seen)) != std::string::npos;
  return is_described ? "" : "a failure that its recorded output does not show";
}

// A check of one run against its header.
class Verifier {
 public:
  explicit Verifier(const RunHeader& header) : header_(header), summary_(header) {
    check_pages();
    check_plan();
  }

  void add(const Record& record) {
    summary_.add(record);
    if (++seen_ - most_of_laws > header_.planned) wrong(cases, "more records than cases", record.literal);
    const auto question = parse_case(record.literal);
    const auto place = record.law.empty() ? place_of(record.literal) : std::nullopt;
    if (record.law.empty()) check_place(record, place);
    if (!question) {
      // The literal of a law's record may be no case, because one line cannot hold every call of a law.
      if (record.law.empty()) wrong(cases, "no literal", record.literal);
      return;
    }
    if (to_string(*question) != record.literal) wrong(cases, "not in its canonical form", record.literal);
    if (question->definition != record.definition || question->data.type() != record.type)
      wrong(cases, "of another definition or type than its record says", record.literal);
    if (record.backend != header_.claim.name) wrong(cases, "of another backend", record.literal);
    const auto expected = expect_shape(*question);
    if (!expected) return wrong(verdicts, expected.error().what, record.literal);
    check_findings(record, *question, *expected);
    static const std::vector<std::string_view> no_cites;
    check_clauses(record, *question, *expected, place ? plan_->cases[*place].cites : no_cites);
  }

  bool is_hopeless() const noexcept { return wrong_records_ >= most_wrong; }

  Verification close(const RunFooter& said, const RunFooter& read) {
    if (is_hopeless())
      wrong(file, "not checked to its end, because " + with_thousands(most_wrong) + " records are wrong");
    else if (const auto same = check_footer(said, read); !same)
      wrong(file, same.error().what);
    else if (said.digest.empty())
      wrong(file, "the footer has no SHA-256, as in format 1");
    summary_.close(said);
    summary_.set_records_digest(read.run_digest);
    const std::int64_t missing = to_ask_ - recorded_;
    const bool is_whole = said.incomplete.empty();
    if (is_whole && missing > 0 && !ends_as_in_time())
      wrong(cases, "no record for " + counted(missing, "planned case"));
    if (is_whole && said.laws.broken != summary_.beside_plan())
      wrong(conformance, "the footer's number of broken laws is wrong");
    if (said.conformance != summary_.verdict_line())
      wrong(conformance, "the records come to " + summary_.verdict_line() + ", and the footer says " +
                             printable(said.conformance));
    holds(file, "the footer counts the verdicts of " + counted(read.records, "record") +
                    ", and has the SHA-256 of the lines");
    holds(pages, "the pages and clauses are those of this certile");
    holds(the_plan,
          "tier, seed, corpora and claim give the " + counted(header_.planned, "case") + " of the header" +
              (header_.shard ? ", of which this shard has " + with_thousands(to_ask_) : std::string()));
    holds(cases, "every record is of one planned case, in its canonical form" +
                     (missing > 0 ? "; " + counted(missing, "case") + " have none" : std::string()));
    holds(verdicts, "every verdict fits what both oracles expect: an answer, a refusal, or nothing decided");
    holds(clauses, "every record names the clauses that its case exercises");
    holds(conformance, "the records come to " + summary_.verdict_line());
    return {printable_name(header_.claim.name) + " " + printable_name(header_.claim.version),
            {checks_.begin(), checks_.end()},
            header_.shard ? to_string(header_.shard->shard) : std::string(),
            std::move(summary_),
            is_hopeless()};
  }

 private:
  static constexpr std::int64_t most_wrong = 1'000;    // records, before the rest is not read
  static constexpr std::int64_t most_of_laws = 1'000;  // records that are of no planned case

  // Returns true if the records are those that a budget of time leaves: of the first chunks of the plan.
  bool ends_as_in_time() const {
    if (!header_.ends_in_time() || !plan_ || recorded_ == 0) return false;
    std::size_t end = 0;
    while (std::cmp_less(end, recorded_))
      end = end_of_chunk_of_budget(end);
    return std::cmp_equal(end, recorded_) && last_place_ < end;
  }

  void wrong(Subject subject, std::string_view why, const std::string& literal = {}) {
    Check& check = checks_[subject];
    check.holds = false;
    if (!literal.empty()) ++wrong_records_;
    if (++wrongs_[subject] == 1)
      check.sentence = std::string(why) + (literal.empty() ? "" : ": " + printable(literal));
  }

  // Completes the sentence of a check.
  void holds(Subject subject, const std::string& sentence) {
    Check& check = checks_[subject];
    check.subject = subjects[subject];
    if (check.holds) check.sentence = sentence;
    if (wrongs_[subject] > 1) check.sentence += ", and " + with_thousands(wrongs_[subject] - 1) + " more";
  }

  void check_pages() {
    RunHeader ours = header_;
    ours.list_pages();
    const auto is_same_as = [](const Clause* left, const Clause* right) { return is_same(*left, *right); };
    if (header_.pages.empty()) return wrong(pages, "the header lists no pages, as in format 1");
    if (header_.pages != ours.pages) wrong(pages, "the pages are not those of this certile");
    if (!std::ranges::equal(header_.clauses(), ours.clauses(), is_same_as))
      wrong(pages, "the clauses that the header lists are not those of its pages");
  }

  void check_plan() {
    auto made = make_plan(header_.claim, header_.transport, header_.options);
    if (!made) return wrong(the_plan, "the plan cannot be made again: " + printable(made.error().what));
    plan_ = *std::move(made);
    has_record_.resize(plan_->cases.size());
    to_ask_ = static_cast<std::int64_t>(header_.shard ? share_of(*plan_, header_.shard->shard).size()
                                                      : plan_->cases.size());
    if (header_.shard && header_.shard->cases != to_ask_)
      wrong(the_plan, "the shard has " + counted(to_ask_, "case") + ", and the header says " +
                          with_thousands(header_.shard->cases));
    if (plan_->corpora != header_.corpora)
      wrong(the_plan, "the corpora do not have the SHA-256 that the header gives");
    if (plan_->digest != header_.plan_digest || std::cmp_not_equal(plan_->cases.size(), header_.planned) ||
        plan_->filtered != header_.filtered || plan_->before_budget != header_.before_budget)
      wrong(the_plan, "tier, seed, corpora and claim give another plan, of " +
                          counted(static_cast<std::int64_t>(plan_->cases.size()), "case") +
                          " and the SHA-256 " + plan_->digest);
  }

  // Returns the place of a case in the plan, which is nearly always the one after that of the record before.
  std::optional<std::size_t> place_of(std::string_view literal) {
    if (!plan_) return std::nullopt;
    const std::vector<PlannedCase>& planned = plan_->cases;
    if (next_place_ < planned.size() && planned[next_place_].literal == literal) return next_place_++;
    if (places_.empty()) {
      places_.reserve(planned.size());
      for (std::size_t index = 0; index < planned.size(); ++index)
        places_.emplace(planned[index].literal, index);
    }
    const auto found = places_.find(literal);
    if (found == places_.end()) return std::nullopt;
    next_place_ = found->second + 1;
    return found->second;
  }

  void check_place(const Record& record, std::optional<std::size_t> place) {
    if (!place) return wrong(cases, "not in the plan", record.literal);
    if (has_record_[*place]) return wrong(cases, "recorded twice", record.literal);
    has_record_[*place] = true;
    if (header_.shard && !header_.shard->shard.has(record.literal))
      return wrong(cases, "of another shard", record.literal);
    last_place_ = std::max(last_place_, *place);
    ++recorded_;
  }

  void check_findings(const Record& record, const Case& question, const Expectation& expected) {
    const bool may_be_unsupported = std::holds_alternative<Unspecified>(expected) ||
                                    (question.placement.shape_only && !header_.claim.infers) ||
                                    !inside_claim(header_.claim, question, expected);
    const auto check = [&](std::string_view why) {
      if (!why.empty()) wrong(verdicts, why, record.literal);
    };
    const Finding* before = &record.judged;
    if (before->verdict == Verdict::waived || before->verdict == Verdict::stale_waiver)
      check("waived by the judge");
    check(contradiction(record.judged, expected, may_be_unsupported));
    for (const Amendment& amendment : record.amendments) {
      check(contradiction_to(*before, amendment, !header_.waivers.path.empty()));
      check(contradiction(amendment, expected, may_be_unsupported));
      before = &amendment;
    }
    check(contradiction(record.judged, question));
    const bool is_vacuous = before->verdict == Verdict::pass && has_no_elements(question, expected);
    if (is_vacuous != record.is_vacuous()) check("wrongly marked as vacuous or not vacuous");
  }

  void check_clauses(const Record& record, const Case& question, const Expectation& expected,
                     const std::vector<std::string_view>& cites) {
    auto wanted =
        shown_clauses({question, record.literal, cites}, header_.claim, header_.transport, expected);
    const Judgement& judged = record.judged;
    // A case that was not asked exercises no clause.
    if (judged.verdict == Verdict::not_run && judged.exercised.empty()) return;
    if (judged.verdict == Verdict::pass && header_.transport.shares_memory)
      wanted.push_back(text_of(clause_with(record.definition, Role::self)));
    if (judged.exercised == wanted) return;
    // A failure without an answer may not exercise no-broadcast, because it shows no shape.
    std::erase(wanted, text_of(clause_with(record.definition, Role::no_broadcast)));
    if (judged.verdict != Verdict::fail || judged.exercised != wanted)
      wrong(clauses, "the record names other clauses than its case exercises", record.literal);
  }

  RunHeader header_;
  Summary summary_;
  std::optional<Plan> plan_;
  std::unordered_map<std::string_view, std::size_t> places_;  // by literal, once a record is out of order
  std::vector<bool> has_record_;                              // of each case of the plan
  std::size_t next_place_ = 0;                                // in the plan, after that of the last record
  std::int64_t to_ask_ = 0;                                   // planned cases of the run
  std::int64_t seen_ = 0;                                     // records
  std::int64_t wrong_records_ = 0;                            // one may count more than once
  std::int64_t recorded_ = 0;                                 // those that have a record
  std::size_t last_place_ = 0;                                // in the plan, of a case that has a record
  std::array<Check, subjects.size()> checks_;
  std::array<std::int64_t, subjects.size()> wrongs_{};
};

// A verifier in a separate thread, which plans and checks while the next records are read.  It takes them in
// their order.
class VerifierAtWork {
 public:
  explicit VerifierAtWork(const RunHeader& header) {
    start([this, header] { verifier_.emplace(header); });
  }
  VerifierAtWork(const VerifierAtWork&) = delete;
  VerifierAtWork& operator=(const VerifierAtWork&) = delete;

  void add(const Record& record) {
    waiting_.push_back(record);
    waiting_bytes_ += size_of(record);
    const bool is_full = waiting_.size() >= most_waiting || waiting_bytes_ >= most_bytes;
    if (is_full || (waiting_.size() >= worth_a_thread && !is_busy())) hand_over();
  }

  // Returns true if no further record can change that the run is wrong.
  bool is_hopeless() const noexcept { return is_hopeless_; }

  Verification close(const RunFooter& said, const RunFooter& read) {
    hand_over();
    work_.get();
    return verifier_->close(said, read);
  }

 private:
  static constexpr std::size_t worth_a_thread = 4'096, most_waiting = 131'072;  // usually about 60 MB
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  // Starts the work in a thread.  If the system refuses one, hand_over() and close() do the work.
  template <class Work>
  void start(Work work) {
    work_ = std::async(std::launch::async | std::launch::deferred, std::move(work));
  }

  bool is_busy() const { return work_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout; }

  void hand_over() {
    work_.get();
    waiting_bytes_ = 0;
    start([this, records = std::exchange(waiting_, {})] {
      for (const Record& record : records)
        if (!verifier_->is_hopeless()) verifier_->add(record);
      is_hopeless_ = verifier_->is_hopeless();
    });
  }

  std::optional<Verifier> verifier_;
  std::vector<Record> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::atomic<bool> is_hopeless_ = false;
  std::future<void> work_;  // the last member, because its destructor waits for a thread that uses the others
};

}  // namespace

bool Verification::holds() const noexcept {
  return std::ranges::all_of(checks, &Check::holds);
}

Result<std::vector<Verification>> verify_records(const std::string& path, const RecordListener& also) {
  TRY(const auto file, open_records(path));
  return verify_records(*file, path, also);
}

Result<std::vector<Verification>> verify_records(std::istream& file, const std::string& named,
                                                 const RecordListener& also, std::uint64_t most) {
  std::vector<Verification> verified;
  std::optional<VerifierAtWork> verifier;
  RecordListener listener{
      [&verifier](const RunHeader& header) { verifier.emplace(header); },
      [&verifier](const Record& record) { verifier->add(record); },
      [&](const RunFooter& said, const RunFooter& read) -> Result<Done> {
        verified.push_back(verifier->close(said, read));
        verifier.reset();
        return Done{};
      },
      [&] { return (verifier && verifier->is_hopeless()) || (also.has_enough && also.has_enough()); }};
  if (const auto done = read_records(file, named, with(std::move(listener), also), most); !done)
    return done.error();
  if (verifier) verified.push_back(verifier->close({}, {}));
  return verified;
}

}  // namespace certile::conformance
