#include "conformance/isolation/concurrent_runs.hpp"

#include <algorithm>
#include <barrier>
#include <deque>
#include <optional>
#include <thread>
#include <vector>

#include "conformance/isolation/guarded_call.hpp"
#include "conformance/isolation/output_bytes.hpp"
#include "conformance/isolation/rig.hpp"
#include "reference/packed.hpp"
#include "reference/promote.hpp"

namespace certile {
namespace {

constexpr int rounds = 1000;

// What one thread saw.
struct Lane {
  CallEnd end = CallEnd::done;
  std::string message;
  bool raced = false, changed_input = false;
  std::vector<std::byte> output;
};

// Makes one thread's calls, and compares what they give.
class Runner {
 public:
  Runner(Backend& backend, const Request& request, const Shape& shape, std::size_t lane)
      : backend_(backend),
        data_(request.data[lane]),
        shape_(shape),
        call_{request.op, data_.view(), request.repeats.view(), std::nullopt},
        before_(data_.bytes().begin(), data_.bytes().end()),
        buffer_(byte_size(data_.type(), element_count(shape_).value()).value()),
        room_(room_for_strings()) {
    if (request.axis) call_.axis = request.axis->view();
  }

  // Makes the next call; false once there is nothing more to see.
  bool call_again(std::atomic<std::uint64_t>& heartbeat) {
    // [CT-WRITE] every other round with the opposite pattern, so that a byte left alone is another answer
    const std::byte pattern = Rig::poison[static_cast<std::size_t>(round_ % 2)];
    std::fill(buffer_.begin(), buffer_.end(), pattern);
    const auto filled = guarded_run(backend_, call_, {data_.type(), shape_, buffer_});
    heartbeat.fetch_add(1, std::memory_order_relaxed);
    seen_.end = call_end(filled);
    if (!filled) {
      seen_.message = filled.error().what;
      return false;
    }
    auto output = data_.type() == ElementType::string
                      ? flatten_strings(buffer_, element_count(shape_).value(), pattern, room_)
                      : buffer_;
    // Padding may be anything, each time another thing.
    if (is_packed(data_.type()) && !output.empty())
      output.back() &= used_bits_of_last_byte(data_.type(), element_count(shape_).value());
    if (round_ == 0) {
      seen_.output = std::move(output);
    } else if (output != seen_.output) {
      // [CT-THREADS] the same call gave other bytes while others were under way
      seen_.raced = true;
      seen_.output = std::move(output);
      return false;
    }
    return ++round_ < rounds;
  }

  Lane take_seen() {
    seen_.changed_input = !std::equal(before_.begin(), before_.end(), data_.bytes().begin());
    return std::move(seen_);
  }

 private:
  // What the sizes and the characters of this thread's answer take, twice: threads have data of their own,
  // and one may have far longer strings than another, so the reply is not shared evenly.
  std::size_t room_for_strings() const {
    if (data_.type() != ElementType::string || data_.count() == 0) return 0;
    std::size_t once = 0;
    for (std::int64_t index = 0; index < data_.count(); ++index)
      once += sizeof(std::uint64_t) + data_.string_element(index).size();
    const std::int64_t copies = element_count(shape_).value() / data_.count();
    return 2 * once * static_cast<std::size_t>(copies);
  }

  Backend& backend_;
  const Tensor& data_;
  const Shape& shape_;
  Call call_;
  std::vector<std::byte> before_, buffer_;
  std::size_t room_;
  int round_ = 0;
  Lane seen_;
};

// [CT-THREADS] Calls of another shape that go on beside those of one shape: what a backend keeps of a call
// outside of it, dimensions or strides, would be the same for all of these.  Nobody looks at what they give.
class Neighbour {
 public:
  Neighbour(Backend& backend, const Request& request)
      : backend_(backend), request_(request), shape_(request.data.front().shape()) {
    if (!shape_.empty()) std::rotate(shape_.begin(), shape_.begin() + 1, shape_.end());
    if (shape_ == request.data.front().shape()) return;
    const auto shape = output_shape(call());
    if (!shape) return;
    output_shape_ = *shape;
    buffer_.resize(byte_size(request_.data.front().type(), element_count(*shape).value()).value());
  }

  // Once at least, and until so many threads have finished.
  void call_until(const std::atomic<std::size_t>& finished, std::size_t lanes) {
    if (!output_shape_) return;
    do {
      call_once();
    } while (finished.load() < lanes);
  }

  void call_once() {
    if (!output_shape_) return;
    static_cast<void>(guarded_run(backend_, call(), {request_.data.front().type(), *output_shape_, buffer_}));
  }

 private:
  // The elements of the first call, its axes turned by one.
  Call call() const {
    const Tensor& data = request_.data.front();
    Call call{request_.op, {data.type(), shape_, data.bytes()}, request_.repeats.view(), std::nullopt};
    if (request_.axis) call.axis = request_.axis->view();
    return call;
  }

  Backend& backend_;
  const Request& request_;
  Shape shape_;
  std::optional<Shape> output_shape_;  // none where its call would be no other one
  std::vector<std::byte> buffer_;
};

// All threads at once.
std::vector<Lane> run_at_once(Backend& backend, const Request& request, const Shape& shape,
                              std::atomic<std::uint64_t>& heartbeat) {
  std::vector<Lane> lanes(request.data.size());
  Neighbour neighbour(backend, request);
  std::barrier<> ready(static_cast<std::ptrdiff_t>(lanes.size() + 1));
  std::atomic<std::size_t> finished{0};
  std::vector<std::jthread> threads;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    threads.emplace_back([&, lane] {
      Runner runner(backend, request, shape, lane);
      // Nobody begins before everybody is there: a thread is done sooner than another is started.
      ready.arrive_and_wait();
      while (runner.call_again(heartbeat)) {
      }
      lanes[lane] = runner.take_seen();
      finished.fetch_add(1);
    });
  ready.arrive_and_wait();
  neighbour.call_until(finished, lanes.size());
  threads.clear();
  return lanes;
}

// The same calls in the same memory, from one thread that makes them one after the other: each thread's next
// call, and a call of the other shape after it.
std::vector<Lane> run_in_turn(Backend& backend, const Request& request, const Shape& shape,
                              std::atomic<std::uint64_t>& heartbeat) {
  Neighbour neighbour(backend, request);
  std::deque<Runner> runners;
  for (std::size_t lane = 0; lane < request.data.size(); ++lane)
    runners.emplace_back(backend, request, shape, lane);
  std::vector<bool> goes_on(runners.size(), true);
  while (std::ranges::find(goes_on, true) != goes_on.end()) {
    for (std::size_t lane = 0; lane < runners.size(); ++lane) {
      if (!goes_on[lane]) continue;
      goes_on[lane] = runners[lane].call_again(heartbeat);
      neighbour.call_once();
    }
  }
  std::vector<Lane> lanes;
  for (Runner& runner : runners)
    lanes.push_back(runner.take_seen());
  return lanes;
}

}  // namespace

RunReply run_concurrently(Backend& backend, const Request& request, const Shape& shape,
                          std::atomic<std::uint64_t>& heartbeat) {
  std::vector<Lane> lanes = request.in_turn ? run_in_turn(backend, request, shape, heartbeat)
                                            : run_at_once(backend, request, shape, heartbeat);
  RunReply reply;
  reply.end = CallEnd::done;
  for (Lane& lane : lanes) {
    if (lane.end != CallEnd::done && reply.end == CallEnd::done) {
      reply.end = lane.end;
      reply.message = lane.message;
    }
    reply.raced = reply.raced || lane.raced;
    reply.changed_input = reply.changed_input || lane.changed_input;
    reply.outputs.push_back(std::move(lane.output));
  }
  if (reply.end != CallEnd::done) reply.outputs.clear();
  return reply;
}

}  // namespace certile
