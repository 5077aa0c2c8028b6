#include "conformance/isolation/concurrent_runs.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "conformance/isolation/guarded_call.hpp"
#include "conformance/isolation/output_bytes.hpp"
#include "conformance/isolation/rig.hpp"
#include "conformance/isolation/team.hpp"
#include "reference/packed.hpp"

namespace certile {
namespace {

constexpr int rounds = 1000;

// What one thread has, and what it saw.
struct Lane {
  std::vector<std::byte> before;  // its data
  std::vector<std::byte> buffer;  // its output
  CallEnd end = CallEnd::done;
  std::string message;
  bool raced = false, changed_input = false;
  std::vector<std::byte> output;
};

class Runner {
 public:
  Runner(Backend& backend, const Request& request, const Shape& shape, CallClock& calls)
      : backend_(backend), request_(request), shape_(shape), calls_(calls) {}

  Lane prepared(std::size_t lane) const {
    const Tensor& data = request_.data[lane];
    Lane seen;
    seen.before.assign(data.bytes().begin(), data.bytes().end());
    seen.buffer.resize(byte_size(data.type(), element_count(shape_).value()).value());
    return seen;
  }

  void run(std::size_t lane, Lane& seen) const noexcept {
    try {
      make_calls(request_.data[lane], seen);
    } catch (const std::bad_alloc&) {
      seen.end = CallEnd::not_possible;
    }
  }

 private:
  void make_calls(const Tensor& data, Lane& seen) const {
    Call call{request_.op, data.view(), request_.repeats.view(), std::nullopt};
    if (request_.axis) call.axis = request_.axis->view();
    const std::size_t room = room_for_strings(data);
    const auto changed = [&] {
      return !std::equal(seen.before.begin(), seen.before.end(), data.bytes().begin());
    };
    for (int round = 0; round < rounds; ++round) {
      // [CT-WRITE] every other round with the opposite pattern, so that a byte left alone is another answer
      const std::byte pattern = Rig::poison[static_cast<std::size_t>(round % 2)];
      std::fill(seen.buffer.begin(), seen.buffer.end(), pattern);
      calls_.begin();
      const auto filled = guarded_run(backend_, call, {data.type(), shape_, seen.buffer});
      calls_.end();
      seen.end = call_end(filled);
      if (!filled) {
        seen.message = filled.error().what;
        break;
      }
      auto output = data.type() == ElementType::string
                        ? flatten_strings(seen.buffer, element_count(shape_).value(), pattern, room)
                        : seen.buffer;
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
  }

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
  CallClock& calls_;
};

// [CT-THREADS] Calls of another shape that go on beside those of one shape: what a backend keeps of a call
// outside of it, dimensions or strides, would be the same for all of these.  Nobody looks at what they give.
class Neighbour {
 public:
  // `shape`: of the output of the calls beside it.
  Neighbour(Backend& backend, const Request& request, const Shape& shape, CallClock& calls)
      : backend_(backend), request_(request), calls_(calls), shape_(request.data.front().shape()) {
    if (!shape_.empty()) std::rotate(shape_.begin(), shape_.begin() + 1, shape_.end());
    if (shape_ == request.data.front().shape()) return;
    output_shape_ = turned(request.data.front().shape(), shape);
    if (!output_shape_) return;
    const auto count = element_count(*output_shape_);
    const auto size = count ? byte_size(request_.data.front().type(), *count) : std::nullopt;
    if (size)
      buffer_.resize(*size);
    else
      output_shape_.reset();
  }

  // Once at least, and until so many threads have finished.
  void call_until(const std::atomic<std::size_t>& finished, std::size_t lanes) {
    if (!output_shape_) return;
    do {
      calls_.begin();
      static_cast<void>(
          guarded_run(backend_, call(), {request_.data.front().type(), *output_shape_, buffer_}));
      calls_.end();
    } while (finished.load() < lanes);
  }

 private:
  // The output's shape where the data's axes are turned, and the output of those that are not is `shape`:
  // what each axis is repeated by stays at its place.  None where an axis without elements does not show by
  // how much.
  std::optional<Shape> turned(const Shape& data, const Shape& shape) const {
    Shape result = shape;
    const std::size_t added = shape.size() - data.size();  // axes in front, which the repeats alone have
    for (std::size_t axis = 0; axis < data.size(); ++axis) {
      if (data[axis] == 0) return std::nullopt;
      result[added + axis] = shape[added + axis] / data[axis] * shape_[axis];
    }
    return result;
  }

  // The elements of the first call, its axes turned by one.
  Call call() const {
    const Tensor& data = request_.data.front();
    Call call{request_.op, {data.type(), shape_, data.bytes()}, request_.repeats.view(), std::nullopt};
    if (request_.axis) call.axis = request_.axis->view();
    return call;
  }

  Backend& backend_;
  const Request& request_;
  CallClock& calls_;
  Shape shape_;
  std::optional<Shape> output_shape_;  // none where its call would be no other one
  std::vector<std::byte> buffer_;
};

}  // namespace

RunReply run_concurrently(Backend& backend, const Request& request, const Shape& shape, CallClock& calls) {
  const Runner runner(backend, request, shape, calls);
  std::vector<Lane> lanes;
  for (std::size_t lane = 0; lane < request.data.size(); ++lane)
    lanes.push_back(runner.prepared(lane));
  Neighbour neighbour(backend, request, shape, calls);
  std::atomic<std::size_t> finished{0};
  RunReply reply;
  {
    Team team;
    reply.message = team.start(lanes.size(), [&](std::size_t lane) {
      runner.run(lane, lanes[lane]);
      finished.fetch_add(1);
    });
    if (!reply.message.empty()) {
      reply.end = CallEnd::not_possible;
      return reply;
    }
    team.begin();
    neighbour.call_until(finished, lanes.size());
  }
  reply.end = CallEnd::done;
  for (Lane& lane : lanes) {
    const bool graver = lane.end == CallEnd::not_possible || reply.end == CallEnd::done;
    if (lane.end != CallEnd::done && graver) {
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
