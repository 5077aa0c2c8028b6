#include "conformance/running/diagnosis.hpp"

#include <algorithm>
#include <utility>

#include "conformance/judge.hpp"

namespace certile {
namespace {

constexpr int probes_per_failure = 80;

bool found(const Observation& seen, Fault fault) {
  return std::find(seen.rig.begin(), seen.rig.end(), fault) != seen.rig.end();
}

bool is_plain(const Placement& placement) {
  return placement.guard == Placement::Guard::none && placement.offset == 0 && placement.threads == 1;
}

Record judged_again(const Judged& judged, const Description& claim) {
  Record record = judge({judged.question, judged.planned->literal, judged.planned->cites}, claim, judged.seen,
                        judged.expected);
  record.reproduce = {judged.planned->literal};
  return record;
}

void replace(Observation& seen, Fault from, Fault to, const std::string& details) {
  std::replace(seen.rig.begin(), seen.rig.end(), from, to);
  seen.details = details;
}

}  // namespace

Result<Judged> Diagnosis::ask_in_order(const Sequence& sequence, bool left_side_first) {
  if (!session_) {
    auto opened = Session::open(options_);
    if (!opened) return opened.error();
    session_ = *std::move(opened);
  } else if (auto fresh = session_->fresh(); !fresh) {
    return fresh.error();
  }
  Judged last;
  session_->listen([&last](Judged judged) { last = std::move(judged); });
  for (const PlannedCase* planned : sequence) {
    if (auto asked = session_->ask(*planned, left_side_first); !asked) return asked.error();
  }
  if (auto finished = session_->finish(); !finished) return finished.error();
  return last;
}

Result<Judged> Diagnosis::ask_alone(const PlannedCase& planned, bool left_side_first) {
  return ask_in_order({&planned}, left_side_first);
}

Result<Record> Diagnosis::explain(Judged failing, std::span<const PlannedCase* const> history) {
  auto alone = ask_alone(*failing.planned);
  if (!alone) return alone.error();
  if (alone->record.verdict != failing.record.verdict) return explain_by_history(std::move(failing), history);
  return explain_alone(*std::move(alone));
}

Result<Record> Diagnosis::explain_alone(Judged alone) {
  if (found(alone.seen, Fault::unsteady)) {
    // Two answers: does the wrong one go with the side of memory, or with the order of the calls?
    auto swapped = ask_alone(*alone.planned, true);
    if (!swapped) return swapped.error();
    const bool one_is_wrong = alone.right_on_side && (*alone.right_on_side)[0] != (*alone.right_on_side)[1];
    if (one_is_wrong && alone.right_on_side == swapped->right_on_side)
      replace(alone.seen, Fault::unsteady, Fault::misplaced, "the answer depends on where the buffers lie");
  } else if (!is_plain(alone.question.placement) &&
             (alone.seen.rig.empty() || found(alone.seen, Fault::raced))) {
    auto passes = passes_without_placement(alone);
    if (!passes) return passes.error();
    const bool concurrent = alone.question.placement.threads > 1;
    const bool raced = found(alone.seen, Fault::raced);
    if (*passes && !raced) {
      alone.seen.rig.insert(alone.seen.rig.begin(), concurrent ? Fault::raced : Fault::misplaced);
      alone.seen.details = concurrent ? "right when called by one thread, wrong when called by several"
                                      : "right where the buffers lie otherwise, wrong where they lie here";
    } else if (!*passes && raced) {
      std::erase(alone.seen.rig, Fault::raced);
    }
  }
  return judged_again(alone, session_->claim());
}

Result<bool> Diagnosis::passes_without_placement(const Judged& judged) {
  Case plain = judged.question;
  plain.placement = Placement{};
  const PlannedCase planned{to_string(plain), {}};
  auto answer = ask_alone(planned);
  if (!answer) return answer.error();
  return answer->record.verdict == Verdict::pass;
}

Result<bool> Diagnosis::fails_after(const Sequence& before, const PlannedCase& planned) {
  --probes_left_;
  Sequence sequence = before;
  sequence.push_back(&planned);
  auto judged = ask_in_order(sequence);
  if (!judged) return judged.error();
  return judged->record.verdict == Verdict::fail;
}

Result<Record> Diagnosis::explain_by_history(Judged failing, std::span<const PlannedCase* const> history) {
  probes_left_ = probes_per_failure;
  Sequence cause;
  bool reproduced = false;
  if (!last_cause_.empty()) {
    auto fails = fails_after(last_cause_, *failing.planned);
    if (!fails) return fails.error();
    reproduced = *fails;
    if (reproduced) cause = last_cause_;
  }
  // Twice as much of what went before, until it fails again.
  for (std::size_t length = 1; !reproduced && !history.empty(); length *= 2) {
    const std::size_t taken = std::min(length, history.size());
    const auto end = history.last(taken);
    cause.assign(end.begin(), end.end());
    auto fails = fails_after(cause, *failing.planned);
    if (!fails) return fails.error();
    reproduced = *fails;
    if (taken == history.size()) break;
  }
  if (reproduced) {
    auto shortened = shorten(std::move(cause), *failing.planned);
    if (!shortened) return shortened.error();
    cause = *std::move(shortened);
    last_cause_ = cause;
  } else {
    cause.clear();
    failing.seen.details = "it did not fail again, neither alone nor after the cases that went before it";
  }
  failing.seen.reproduces_alone = false;
  Record record = judged_again(failing, session_->claim());
  record.reproduce.clear();
  for (const PlannedCase* planned : cause)
    record.reproduce.push_back(planned->literal);
  record.reproduce.push_back(failing.planned->literal);
  return record;
}

// Leaves out halves, quarters, … single cases, as long as it still fails.
Result<Diagnosis::Sequence> Diagnosis::shorten(Sequence before, const PlannedCase& planned) {
  for (std::size_t piece = (before.size() + 1) / 2; piece > 0 && before.size() > 1; piece /= 2) {
    for (std::size_t start = 0; start < before.size() && before.size() > 1 && probes_left_ > 0;) {
      Sequence fewer(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(start));
      fewer.insert(fewer.end(),
                   before.begin() + static_cast<std::ptrdiff_t>(std::min(start + piece, before.size())),
                   before.end());
      auto fails = fails_after(fewer, planned);
      if (!fails) return fails.error();
      if (*fails)
        before = std::move(fewer);
      else
        start += piece;
    }
  }
  return before;
}

}  // namespace certile
