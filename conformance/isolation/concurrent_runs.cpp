#include "conformance/isolation/concurrent_runs.hpp"

#include <algorithm>
#include <barrier>
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

class Runner {
 public:
  Runner(Backend& backend, const Request& request, const Shape& shape)
      : backend_(backend), request_(request), shape_(shape) {}

  Lane run(std::size_t lane, std::atomic<std::uint64_t>& heartbeat, std::barrier<>& ready) const {
    const Tensor& data = request_.data[lane];
    const std::vector<std::byte> before(data.bytes().begin(), data.bytes().end());
    Call call{request_.op, data.view(), request_.repeats.view(), std::nullopt};
    if (request_.axis) call.axis = request_.axis->view();
    std::vector<std::byte> buffer(byte_size(data.type(), element_count(shape_).value()).value());
    const std::size_t room = room_for_strings(data);
    Lane seen;
    const auto changed = [&] { return !std::equal(before.begin(), before.end(), data.bytes().begin()); };
    // Nobody begins before everybody is there: a thread is done sooner than another is started.
    ready.arrive_and_wait();
    for (int round = 0; round < rounds; ++round) {
      // [CT-WRITE] every other round with the opposite pattern, so that a byte left alone is another answer
      const std::byte pattern = Rig::poison[static_cast<std::size_t>(round % 2)];
      std::fill(buffer.begin(), buffer.end(), pattern);
      const auto filled = guarded_run(backend_, call, {data.type(), shape_, buffer});
      heartbeat.fetch_add(1, std::memory_order_relaxed);
      seen.end = call_end(filled);
      if (!filled) {
        seen.message = filled.error().what;
        seen.changed_input = changed();
        return seen;
      }
      auto output = data.type() == ElementType::string
                        ? flatten_strings(buffer, element_count(shape_).value(), pattern, room)
                        : buffer;
      // Padding may be anything, each time another thing.
      if (is_packed(data.type()) && !output.empty())
        output.back() &= used_bits_of_last_byte(data.type(), element_count(shape_).value());
      if (round == 0) {
        seen.output = std::move(output);
      } else if (output != seen.output) {
        // [CT-THREADS] the same call gave other bytes while others were under way
        seen.raced = true;
        seen.output = std::move(output);
        break;
      }
    }
    seen.changed_input = changed();
    return seen;
  }

 private:
  // What the sizes and the characters of this thread's answer take, twice: threads have data of their own,
  // and one may have far longer strings than another, so the reply is not shared evenly.
  std::size_t room_for_strings(const Tensor& data) const {
    if (data.type() != ElementType::string || data.count() == 0) return 0;
    std::size_t once = 0;
    for (std::int64_t index = 0; index < data.count(); ++index)
      once += sizeof(std::uint64_t) + data.string_element(index).size();
    const std::int64_t copies = element_count(shape_).value() / data.count();
    return 2 * once * static_cast<std::size_t>(copies);
  }

  Backend& backend_;
  const Request& request_;
  const Shape& shape_;
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
      static_cast<void>(
          guarded_run(backend_, call(), {request_.data.front().type(), *output_shape_, buffer_}));
    } while (finished.load() < lanes);
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

}  // namespace

RunReply run_concurrently(Backend& backend, const Request& request, const Shape& shape,
                          std::atomic<std::uint64_t>& heartbeat) {
  const Runner runner(backend, request, shape);
  std::vector<Lane> lanes(request.data.size());
  Neighbour neighbour(backend, request);
  std::barrier<> ready(static_cast<std::ptrdiff_t>(lanes.size() + 1));
  std::atomic<std::size_t> finished{0};
  {
    std::vector<std::jthread> threads;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      threads.emplace_back([&, lane] {
        lanes[lane] = runner.run(lane, heartbeat, ready);
        finished.fetch_add(1);
      });
    ready.arrive_and_wait();
    neighbour.call_until(finished, lanes.size());
  }
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
