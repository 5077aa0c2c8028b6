#include "conformance/run/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <mutex>
#include <utility>

#include "conformance/ask/observe.hpp"
#include "conformance/judge/case_traits.hpp"
#include "conformance/judge/judge.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

// Returns the number of bytes of all characters of a string tensor, or 0 for a tensor of another type.
std::uint64_t characters_of(const Case& question) {
  if (question.data.type() != ElementType::string) return 0;
  const Tensor data = data_of(question);
  const std::int64_t count = data.bytes().empty() ? 0 : data.count();
  std::uint64_t characters = 0;
  for (std::int64_t index = 0; index < count; ++index)
    characters += data.string_element(index).size();
  return characters;
}

// Returns true if the answer, if any, is small enough to be made, stored and compared on this machine; or if
// no machine can make it, and a backend that returns its own output can only decline.
bool is_judgeable(const Case& question, Transport transport) {
  if (question.placement.shape_only) return true;
  if (is_beyond_memory(question)) return !transport.shares_memory;
  const bool has_characters = question.data.type() == ElementType::string;
  if (!has_characters && is_small(question)) return true;
  // An answer that is judged in pieces is held in half as many places.
  const bool is_whole = has_characters || is_packed(question.data.type()) || question.placement.threads > 1;
  const std::uint64_t limit =
      largest_answer() * (is_whole ? 1 : 2) / static_cast<std::uint64_t>(question.placement.threads);
  const auto fits = [&](const Shape& shape, std::uint64_t characters) {
    const auto count = element_count(shape);
    const auto size = count ? byte_size(question.data.type(), *count) : std::nullopt;
    return size && *size <= limit && characters <= limit - *size;
  };
  if (!fits(question.data.shape(), 0)) return false;
  const auto shape = oracle::output_shape(question);
  if (!shape) return true;
  if (!fits(*shape, 0)) return false;
  const auto copies =
      static_cast<std::uint64_t>(element_count(*shape).value() /
                                 std::max<std::int64_t>(element_count(question.data.shape()).value(), 1));
  const std::uint64_t characters = characters_of(question);
  return characters == 0 || (copies <= limit / characters && fits(*shape, copies * characters));
}

// [CT-THREADS] Returns true if the calls are the first ones of their process, so that what an implementation
// sets up in its first call is set up by several at once.  Fewer calls at once come after others.
bool comes_first(const Placement& placement) {
  constexpr int many = 4;
  return placement.threads >= many;
}

std::array<bool, 2> right_on_each_side(const Expectation& expected, const Request& request,
                                       const Reply& reply) {
  std::array<bool, 2> right{false, false};
  const auto* answer = std::get_if<Answer>(&expected);
  if (answer == nullptr || answer->tensors.empty()) return right;
  for (const int side : {0, 1}) {
    const auto outputs = outputs_of_side(request, reply, side);
    right[static_cast<std::size_t>(side)] = outputs && *outputs == answer->tensors;
  }
  return right;
}

// Makes the outcome of two runs that differ that of the wrong one, because reports show an outcome.
void show_the_wrong_run(const std::array<bool, 2>& right_on_side, const Request& request, const Reply& reply,
                        Observation& seen) {
  if (!right_on_side[0] || right_on_side[1] || !std::holds_alternative<Produced>(seen.outcome)) return;
  if (auto outputs = outputs_of_side(request, reply, 1)) seen.outcome = Produced{*std::move(outputs)};
}

}  // namespace

std::uint64_t largest_answer() noexcept {
  constexpr std::uint64_t copies = 10;
  static const std::uint64_t memory =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return memory / copies;
}

Record not_run(const PlannedCase& planned, const std::string& backend, const std::string& why) {
  Record record;
  record.literal = planned.literal;
  record.backend = backend;
  const Case question = planned.question();
  record.definition = question.definition;
  record.type = question.data.type();
  record.judged.words = why;
  return record;
}

Session::Session(IsolateOptions options, std::unique_ptr<Asker> asker)
    : options_(std::move(options)), asker_(std::move(asker)) {}

Result<Session> Session::open(const IsolateOptions& options) {
  TRY(auto asker, open_asker(options));
  return Session(options, std::move(asker));
}

void Session::attach() {
  asker_->listen([this](RawAnswer answer) { on_answer(std::move(answer)); });
}

void Session::set_time_limit(int milliseconds) {
  options_.time_limit = milliseconds;
  asker_->set_time_limit(milliseconds);
}

Result<Done> Session::ask(const PlannedCase& planned, Manner manner) {
  attach();
  Case question = planned.question();
  const auto too_large = [&] {
    if (auto finished = finish(); !finished) return finished;
    deliver_not_run(planned, std::move(question), "the answer is too large to be judged on this machine");
    return Result<Done>(Done{});
  };
  if (!is_judgeable(question, transport())) return too_large();
  // Cases with large answers are asked one after the other, in all sessions together, so that at most one of
  // them is in memory.
  static std::mutex one_large;
  std::unique_lock lock(one_large, std::defer_lock);
  const bool is_large = may_have_a_large_answer(question);
  if (is_large)
    if (auto finished = finish(); !finished) return finished;
  if (comes_first(question.placement) && transport().shares_memory && asked_.size() > history_begin_) {
    if (auto finished = finish(); !finished) return finished;
    // A fresh process would answer this case in the place of one that was abandoned.
    if (pending_.empty())
      if (auto started = fresh(); !started) return started;
  }
  const auto start = std::chrono::steady_clock::now();
  if (is_large) lock.lock();
  Pending pending{&planned, std::move(question), {}, nullptr, {}, true};
  const auto expected = add_expectation(pending);
  time_of_oracles_ += std::chrono::steady_clock::now() - start;
  if (!expected && expected.error().code == Error::Code::out_of_memory) {
    question = std::move(pending.question);
    return too_large();
  }
  if (!expected) return expected.error();
  auto asked = submit(std::move(pending), manner);
  return asked && is_large ? finish() : asked;
}

Result<Done> Session::add_expectation(Pending& pending) {
  if (known_ != nullptr) pending.known = known_->find(pending.planned->literal);
  if (pending.known) return Done{};
  TRY(auto expected, is_beyond_memory(pending.question) ? expect_shape(pending.question)
                                                        : expect(pending.question, pending.filled));
  if (known_ != nullptr)
    pending.known = known_->keep(pending.planned->literal, std::move(expected));
  else
    pending.expected = std::move(expected);
  return Done{};
}

Result<Done> Session::ask_unjudged(const PlannedCase& planned) {
  Case question = planned.question();
  // The memory for strings, and for large answers, follows from the elements.
  if (question.data.type() == ElementType::string || may_have_a_large_answer(question)) return ask(planned);
  auto expected = expect_shape(question);
  if (!expected) return expected.error();
  if (const Answer* answer = std::get_if<Answer>(&*expected))
    expected = Expectation(Unspecified{ClauseId::none, answer->shape});
  return submit({&planned, std::move(question), *std::move(expected), nullptr, {}, false}, Manner::usual);
}

Result<Done> Session::submit(Pending pending, Manner manner) {
  attach();
  const PlannedCase& planned = *pending.planned;
  pending.request = make_request(pending.question, pending.due(), std::move(pending.filled));
  pending.request.left_side_first = left_side_first_ != (manner == Manner::other_side_first);
  pending.request.in_turn = manner == Manner::in_turn;
  left_side_first_ = !left_side_first_;
  asked_.push_back(&planned);
  // The case becomes pending first, because its answer may arrive before submit returns.
  pending_.push_back(std::move(pending));
  const Request& request = pending_.back().request;
  auto submitted = asker_->submit(request);
  if (submitted && !*submitted) {
    if (auto finished = asker_->finish(); !finished) return finished;
    // Other cases were abandoned, and this one is abandoned with them.
    if (pending_.size() > 1) return Done{};
    if (auto enlarged = enlarge(request); !enlarged) return enlarged;
    submitted = asker_->submit(request);
  }
  if (!submitted) return submitted.error();
  if (!*submitted) return Error{Error::Code::io, "no memory for the case " + planned.literal};
  return Done{};
}

Record Session::not_run(const PlannedCase& planned, const std::string& why) const {
  Record record = conformance::not_run(planned, claim().name, why);
  const Case question = planned.question();
  if (const auto expected = expect_shape(question))
    record.judged.exercised =
        shown_clauses({question, planned.literal, planned.cites}, claim(), transport(), *expected);
  return record;
}

// Starts a process with more shared memory, for a case that is larger than the others, which are answered.
Result<Done> Session::enlarge(const Request& request) {
  std::size_t request_size = 0;
  for (const Tensor& data : request.data)
    request_size += 2 * content_bytes(data);
  constexpr std::size_t slack = std::size_t{1} << 20;
  options_.layout.request_bytes = std::max(options_.layout.request_bytes, request_size + slack);
  options_.layout.reply_bytes = std::max(options_.layout.reply_bytes, request.reply_limit + slack);
  own_time_before_ += asker_->own_time();
  asker_.reset();
  TRY(auto asker, open_asker(options_));
  asker_ = std::move(asker);
  history_begin_ = answered_;
  attach();
  return Done{};
}

Result<Done> Session::finish() {
  attach();
  return asker_->finish();
}

std::vector<const PlannedCase*> Session::take_unanswered() {
  std::vector<const PlannedCase*> unanswered;
  for (const Pending& pending : pending_)
    unanswered.push_back(pending.planned);
  pending_.clear();
  return unanswered;
}

Result<Done> Session::fresh() {
  history_begin_ = answered_ = asked_.size();
  left_side_first_ = false;
  return asker_->restart();
}

Result<Done> Session::fresh(Surroundings surroundings) {
  options_.surroundings = surroundings;
  asker_->surround(surroundings);
  return fresh();
}

void Session::on_answer(RawAnswer answer) {
  Pending pending = std::move(pending_.front());
  pending_.pop_front();
  if (!pending.is_judged) {
    ++answered_;
    if (!answer.reply) history_begin_ = answered_;
    return;
  }
  Observation seen = observe(pending.question, pending.request, answer, options_.time_limit);
  deliver(std::move(pending), std::move(seen), answer);
}

void Session::deliver(Pending pending, Observation seen, const RawAnswer& answer) {
  Judged judged;
  judged.planned = pending.planned;
  judged.surroundings = options_.surroundings;
  judged.history_begin = history_begin_;
  judged.history_end = answered_++;
  if (!answer.reply) history_begin_ = answered_;
  const bool unsteady = std::find(seen.rig.begin(), seen.rig.end(), Fault::unsteady) != seen.rig.end();
  if (unsteady && answer.reply) {
    judged.right_on_side = right_on_each_side(pending.due(), pending.request, *answer.reply);
    show_the_wrong_run(*judged.right_on_side, pending.request, *answer.reply, seen);
  }
  // Pieces of a large answer are computed while it is judged.
  const auto start = std::chrono::steady_clock::now();
  judged.record = judge({pending.question, pending.planned->literal, pending.planned->cites}, claim(),
                        transport(), seen, pending.due());
  time_of_oracles_ += std::chrono::steady_clock::now() - start;
  judged.question = std::move(pending.question);
  if (!pending.known)
    judged.expected = std::move(pending.expected);
  else if (judged.record.judged.verdict == Verdict::fail)
    judged.expected = *pending.known;
  judged.seen = std::move(seen);
  listener_(std::move(judged));
}

void Session::deliver_not_run(const PlannedCase& planned, Case question, const std::string& why) {
  Judged judged;
  judged.planned = &planned;
  judged.question = std::move(question);
  judged.record = not_run(planned, why);
  listener_(std::move(judged));
}

}  // namespace certile::conformance
