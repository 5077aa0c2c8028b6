#include "conformance/ask/rig/concurrent_runs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <deque>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/plugin/status.hpp"
#include "conformance/ask/rig/output_bytes.hpp"
#include "conformance/ask/rig/rig.hpp"
#include "conformance/ask/rig/thread_state.hpp"
#include "conformance/ask/rig/unlike_calls.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {
namespace {

using Clock = std::chrono::steady_clock;

// The calls of each thread: as many as write these bytes, within limits.
constexpr std::size_t most_rounds = 1000, least_rounds = 100, bytes_to_write = std::size_t{128} << 20;
// More threads make fewer calls each, so that all of them make no more than these, but for the least.
constexpr std::size_t most_together = 4 * most_rounds;
// The share of its calls after which a thread makes the next one of its list of unlike calls.
constexpr std::size_t rounds_before_unlike = 4;
// A slow implementation's calls of each thread: as many as take these times, and no fewer than these.  A busy
// machine stretches neither the time of the processor nor the shortest of several calls, of those that sleep.
constexpr std::size_t fewest_rounds = 8;
constexpr std::chrono::milliseconds longest_of_processor{400}, longest{2000};
// Small calls are over before another thread has begun, above all on a busy machine.  So the threads go on,
// for a while at most, until the next thread has begun a call during this number of calls of each.
constexpr int least_met = 250;
constexpr std::chrono::milliseconds longest_to_meet{50};

// Returns the time that processors have spent on the calling thread.
std::chrono::nanoseconds processor_time() noexcept {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// The findings of one thread.
struct Lane {
  Status end = Status::ok;
  std::string message;
  bool lacks_memory = false;  // of the rig, not of the backend
  bool raced = false, changed_input = false;
  std::vector<std::byte> output;
  std::string changed_state;  // of its thread
};

// A runner of one thread's calls, which compares their outputs.
class Runner {
 public:
  // Makes a runner of the calls that fill the output `lane`.
  Runner(const backends::Plugin& backend, const Request& request, const Shape& shape, std::size_t lane,
         SideBySide& memory, CallClock& calls)
      : backend_(backend),
        calls_(calls),
        unlike_(backend, request, shape, calls, lane),
        data_(request.data[lane]),
        shape_(shape),
        request_(request),
        before_(data_.bytes().begin(), data_.bytes().end()),
        memory_(memory),
        lane_(lane),
        next_((lane + 1) % request.data.size()),
        buffer_(memory.output(lane)),
        room_(room_for_strings()),
        rounds_(
            std::clamp(bytes_to_write / std::max<std::size_t>(buffer_.size(), 1), least_rounds,
                       std::max(least_rounds, std::min(most_rounds, most_together / request.data.size())))) {}

  // Lets the first call begin with those of the other threads.
  void meet_in(ConcurrentThreads& threads) noexcept { threads_ = &threads; }

  bool has_made_rounds() const noexcept {
    return round_ >= rounds_ || (round_ >= fewest_rounds && has_taken_long());
  }
  bool has_met_others() const noexcept { return met_ >= least_met; }

  // Makes the next call; returns false if there is nothing more to find.
  bool call_again() noexcept {
    try {
      return make_call();
    } catch (const std::bad_alloc&) {
      seen_.lacks_memory = true;
      return false;
    }
  }

  // Notes what the calls have left changed in this thread, which had these settings before the first one.
  void compare_state(const ThreadState& before) noexcept {
    try {
      seen_.changed_state = ThreadState::now().changed_since(before);
    } catch (const std::bad_alloc&) {
      seen_.lacks_memory = true;
    }
  }

  Lane take_seen() {
    seen_.changed_input = !same_bytes(before_, data_.bytes());
    return std::move(seen_);
  }

 private:
  bool has_taken_long() const noexcept {
    // A thread computes no longer than the wall clock says, and that is quick to read.
    return (Clock::now() - begin_ > longest_of_processor &&
            processor_time() - processor_begin_ > longest_of_processor) ||
           shortest_call_ * static_cast<std::int64_t>(round_) > longest;
  }

  bool make_call() {
    if (round_ == 0) {
      begin_ = Clock::now();
      processor_begin_ = processor_time();
    }
    // [CT-WRITE] every other round has the opposite pattern, so that an unwritten byte changes the answer
    const std::byte pattern = Rig::poison[static_cast<std::size_t>(round_ % 2)];
    std::fill(buffer_.begin(), buffer_.end(), pattern);
    memory_.change_around(next_);
    const std::uint32_t changes = memory_.changes_around(lane_);
    if (round_ == 0 && threads_ != nullptr) threads_->meet();
    calls_.begin();
    // What was planned for the unlike call before is not for this one.
    if (round_ > 0 && round_ % rounds_before_unlike == 0 && backend_.claim().infers)
      static_cast<void>(backend_.infer(call()));
    const Clock::time_point begin = Clock::now();
    backends::Ran ran =
        backend_.run(call(), backends::c_tensor(MutableTensorView{data_.type(), shape_, buffer_}));
    calls_.end();
    shortest_call_ = std::min<Clock::duration>(shortest_call_, Clock::now() - begin);
    if (memory_.changes_around(lane_) != changes) ++met_;
    seen_.end = ran.status;
    if (ran.status != Status::ok) {
      seen_.message = std::move(ran.message);
      return false;
    }
    if (data_.type() == ElementType::string)
      flat_ = flatten_strings(buffer_, element_count(shape_).value(), pattern, room_);
    const std::span<const std::byte> output =
        data_.type() == ElementType::string ? std::span<const std::byte>(flat_) : buffer_;
    // Padding may have any bits, different ones each time.
    if (is_packed(data_.type()) && !buffer_.empty())
      buffer_.back() &= used_bits_of_last_byte(data_.type(), element_count(shape_).value());
    if (round_ == 0) {
      seen_.output.assign(output.begin(), output.end());
    } else if (!same_bytes(output, seen_.output)) {
      // [CT-THREADS] the same call gave other bytes while others were under way
      seen_.raced = true;
      seen_.output.assign(output.begin(), output.end());
      return false;
    }
    if (++round_ % rounds_before_unlike == 0) unlike_.call_once();
    return true;
  }

  backends::PluginCall call() const {
    return {request_.definition, data_.view(), request_.repeats.view(), view_of(request_.axis)};
  }

  // Returns the bytes for the sizes and characters of this thread's answer, twice: threads have different
  // data, and one may have far longer strings than another, so the reply is not shared evenly.
  std::size_t room_for_strings() const {
    if (data_.type() != ElementType::string || data_.count() == 0) return 0;
    std::size_t once = 0;
    for (std::int64_t index = 0; index < data_.count(); ++index)
      once += sizeof(std::uint64_t) + data_.string_element(index).size();
    const std::int64_t copies = element_count(shape_).value() / data_.count();
    return 2 * once * static_cast<std::size_t>(copies);
  }

  const backends::Plugin& backend_;
  CallClock& calls_;
  UnlikeCalls unlike_;
  const Tensor& data_;
  const Shape& shape_;
  const Request& request_;
  std::vector<std::byte> before_, flat_;
  SideBySide& memory_;
  ConcurrentThreads* threads_ = nullptr;
  std::size_t lane_, next_;
  std::span<std::byte> buffer_;
  std::size_t room_, rounds_, round_ = 0;
  Clock::time_point begin_;
  std::chrono::nanoseconds processor_begin_{0};  // of the thread that calls
  Clock::duration shortest_call_ = longest;
  int met_ = 0;
  Lane seen_;
};

// Makes the calls of all threads at once.  Returns what the system lacked; empty if it lacked nothing.
std::string run_at_once(std::deque<Runner>& runners, UnlikeCalls& unlike) {
  std::atomic<std::size_t> content{0}, finished{0};
  std::atomic<Clock::time_point> end{Clock::time_point::max()};
  const auto is_time_left = [&end] { return Clock::now() < end.load(); };
  ConcurrentThreads threads;
  for (Runner& runner : runners)
    runner.meet_in(threads);
  std::string lacking = threads.start(runners.size(), [&](std::size_t lane) {
    Runner& runner = runners[lane];
    const ThreadState before = ThreadState::now();
    bool goes_on = true;
    while (goes_on && (!runner.has_made_rounds() || (!runner.has_met_others() && is_time_left())))
      goes_on = runner.call_again();
    // Others may need calls to meet.
    for (content.fetch_add(1); goes_on && content.load() < runners.size() && is_time_left();)
      goes_on = runner.call_again();
    runner.compare_state(before);
    finished.fetch_add(1);
  });
  if (!lacking.empty()) return lacking;
  end = Clock::now() + longest_to_meet;
  threads.begin();
  threads.wait_until_met();
  for (std::size_t made = 0; made < unlike.kinds() || (made > 0 && finished.load() < runners.size()); ++made)
    unlike.call_once();
  return {};
}

// Makes the same calls in the same memory, from one thread, in turn: each lane's next call, and an unlike one
// after it.  Makes as many as all threads can have made.
void run_in_turn(std::deque<Runner>& runners, UnlikeCalls& unlike) {
  const Clock::time_point end = Clock::now() + longest_to_meet * runners.size();
  std::vector<bool> goes_on(runners.size(), true);
  while (std::ranges::find(goes_on, true) != goes_on.end()) {
    for (std::size_t lane = 0; lane < runners.size(); ++lane) {
      if (!goes_on[lane]) continue;
      goes_on[lane] = runners[lane].call_again() && (!runners[lane].has_made_rounds() || Clock::now() < end);
      unlike.call_once();
    }
  }
}

// The inferences of one thread.
struct Inferences {
  std::optional<backends::Inferred> first;
  bool differ = false, lack_memory = false;

  void add(const backends::Plugin& backend, const certile_call& call) noexcept {
    try {
      backends::Inferred next = backend.infer(call);
      differ = differ || (first && !is_alike(next));
      if (!first) first = std::move(next);
    } catch (const std::bad_alloc&) {
      lack_memory = true;
    }
  }
  bool is_alike(const backends::Inferred& other) const {
    return other.status == first->status && other.shape == first->shape;
  }
};

}  // namespace

ConcurrentInferred infer_concurrently(const backends::Plugin& backend, const Request& request,
                                      CallClock& calls) {
  constexpr int inferences = 100;
  std::vector<Inferences> lanes(request.data.size());
  const auto infer = [&](std::size_t lane) {
    const backends::PluginCall call(request.definition, request.data[lane].view(), request.repeats.view(),
                                    view_of(request.axis));
    for (int number = 0; number < inferences; ++number) {
      calls.begin();
      lanes[lane].add(backend, call);
      calls.end();
    }
  };
  ConcurrentThreads threads;
  if (request.in_turn) {
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      infer(lane);
  } else {
    std::string lacking = threads.start(lanes.size(), [&](std::size_t lane) {
      threads.meet();
      infer(lane);
    });
    if (!lacking.empty()) throw NotPossible{std::move(lacking)};
    threads.begin();
    threads.join();
  }
  ConcurrentInferred whole;
  for (const Inferences& lane : lanes) {
    if (lane.lack_memory) throw std::bad_alloc();
    whole.differ = whole.differ || lane.differ || !lanes.front().is_alike(*lane.first);
  }
  whole.inferred = *std::move(lanes.front().first);
  return whole;
}

ConcurrentReply run_concurrently(const backends::Plugin& backend, const Request& request, const Shape& shape,
                                 CallClock& calls) {
  const std::size_t size = byte_size(request.data.front().type(), element_count(shape).value()).value();
  SideBySide memory(request.data.size(), size);
  std::deque<Runner> runners;
  for (std::size_t lane = 0; lane < request.data.size(); ++lane)
    runners.emplace_back(backend, request, shape, lane, memory, calls);
  UnlikeCalls unlike(backend, request, shape, calls);
  if (request.in_turn)
    run_in_turn(runners, unlike);
  else if (std::string lacking = run_at_once(runners, unlike); !lacking.empty())
    throw NotPossible{std::move(lacking)};
  ConcurrentReply whole;
  RunReply& reply = whole.run;
  reply.end = Status::ok;
  for (Runner& runner : runners) {
    Lane lane = runner.take_seen();
    if (lane.lacks_memory) throw std::bad_alloc();
    if (lane.end != Status::ok && reply.end == Status::ok) {
      reply.end = lane.end;
      reply.message = lane.message;
    }
    reply.raced = reply.raced || lane.raced;
    reply.changed_input = reply.changed_input || lane.changed_input;
    reply.outputs.push_back(std::move(lane.output));
    if (whole.changed_state.empty()) whole.changed_state = std::move(lane.changed_state);
  }
  reply.undid_a_change = memory.has_undone_change();
  if (reply.end != Status::ok) reply.outputs.clear();
  return whole;
}

}  // namespace certile::conformance
