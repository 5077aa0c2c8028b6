#include "conformance/ask/rig/leak_probe.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <thread>
#include <vector>

#include "backends/plugin/status.hpp"
#include "conformance/ask/rig/growth.hpp"
#include "conformance/ask/rig/soak.hpp"

namespace certile::conformance {

namespace {

// Returns the number of children that a thread has started, as the system lists them.
std::int64_t children_of(const char* process, const char* thread) noexcept {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%s/task/%s/children", process, thread);
  const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::int64_t count = 0;
  std::array<char, 4096> piece;
  for (ssize_t got = 0; (got = read(file, piece.data(), piece.size())) > 0;)
    count += std::count(piece.begin(), piece.begin() + got, ' ');  // one behind each number
  close(file);
  return count;
}

std::int64_t own_children() noexcept {
  siginfo_t first{};
  if (waitid(P_ALL, 0, &first, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0) return 0;
  DIR* const threads = opendir("/proc/self/task");
  if (threads == nullptr) return 0;
  std::int64_t count = 0;
  while (const dirent* thread = readdir(threads))
    if (thread->d_name[0] != '.') count += children_of("self", thread->d_name);
  closedir(threads);
  return count;
}

// Returns the number of orphans that the parent of this process has adopted, if that is a host: its child
// leads a session, and is the only one that it has started.
std::int64_t orphans_of_host() noexcept {
  if (getsid(0) != getpid()) return 0;
  std::array<char, 16> host{};
  std::snprintf(host.data(), host.size(), "%d", getppid());
  return std::max<std::int64_t>(children_of(host.data(), host.data()) - 1, 0);
}

}  // namespace

std::int64_t left_processes() noexcept {
  return own_children() + orphans_of_host();
}

namespace {

constexpr std::int64_t few = 64;  // calls that show whether something grows
constexpr Patience longest_keeping{2, 20};
// The calls after which blocks that are freed a thousand at a time have been freed, however many there were
// before: half of these.
constexpr std::int64_t many_calls = 4096;
// The different shapes or repeats, in pairs of numbers: a cache with a bound has room for fewer.
constexpr std::int64_t grid_side = 150, many_pairs = 20'000;

// The number of the first member beyond that of all these pairs, and beyond that of the others.
constexpr std::int64_t outer_of_others = many_pairs / grid_side + 1,
                       outer_end = outer_of_others + many_calls / grid_side + 1;

// A choice of pairs: all, in rising order, or as many others as `many_calls`, large and small in turn.
enum class Pairs : std::uint8_t { rising, in_turn };
struct Pair {
  std::int64_t outer, inner;
};

Pair pair_of(Pairs pairs, std::int64_t number) {
  if (pairs == Pairs::rising) return {number / grid_side, number % grid_side};
  constexpr std::int64_t stride = 1'181;  // with no divisor of the number of calls
  const std::int64_t mixed = number * stride % many_calls;
  return {outer_of_others + mixed / grid_side, mixed % grid_side};
}

// Makes `few` calls, and up to `many` if something grows or `is_patient`.  Returns what is charged then.
template <class Call>
std::string growth_over(std::int64_t many, Call call, bool is_patient = false) {
  // Samples are taken more seldom in the end.
  Growth growth(1, many / 2);
  const Stopwatch stopwatch;
  for (std::int64_t number = 1; number <= many; ++number) {
    call(number);
    const bool sampled = growth.note(number);
    if (number == few && !is_patient && !growth.is_suspicious()) return {};
    if (!sampled || number < few) continue;
    if (std::string charge = growth.charge(); !charge.empty()) return charge;
    if (stopwatch.exceeds(longest_keeping)) break;
  }
  return {};
}

// Makes calls of which each takes another pair.  A cache with a bound of results grows with these where they
// grow, so that what is charged has to grow as much again where large and small ones take turns.
template <class Call>
std::string growth_over_pairs(Call call) {
  std::string charge =
      growth_over(many_pairs, [&](std::int64_t each) { call(pair_of(Pairs::rising, each)); });
  if (charge.empty()) return charge;
  const auto in_turn = [&](std::int64_t each) { call(pair_of(Pairs::in_turn, each)); };
  return growth_over(many_calls, in_turn, true).empty() ? "" : charge;
}

}  // namespace

LeakProbe::LeakProbe(const backends::Plugin& backend, const Request& request, const Shape& shape,
                     CallClock& calls)
    : backend_(backend), request_(request), shape_(shape), calls_(calls) {}

std::string LeakProbe::kept() const {
  if (const std::string kept = kept_of_ended_threads(); !kept.empty())
    return kept + ", each made by a thread that ended after it";
  if (const std::string kept = kept_of_inferences(); !kept.empty())
    return kept + ", each asking for the shape alone";
  if (!request_.shape_digest) {
    // Larger data overflow as well, but perhaps otherwise, which other cases try: nothing is run.
    const std::string kept = kept_of_refusals();
    return kept.empty() ? kept : kept + ", each with data of another shape, which is refused";
  }
  if (const std::string kept = kept_of_new_shapes(); !kept.empty())
    return kept + ", each with data of another shape";
  if (const std::string kept = kept_of_new_repeats(); !kept.empty())
    return kept + ", each with other repeats";
  return {};
}

void LeakProbe::call_with_other_strings() const {
  const Tensor& data = request_.data.front();
  std::vector<std::string> strings;
  for (std::int64_t index = 0; index < data.count(); ++index)
    strings.emplace_back(data.string_element(index).size(), '~');
  const Tensor other = Tensor::of_strings(data.shape(), strings);
  std::vector<std::byte> buffer(byte_size(other.type(), element_count(shape_).value()).value());
  // More threads than an implementation that counts them has room for.
  constexpr int many = 80;
  try {
    for (int number = 0; number < many; ++number)
      std::thread([&] { make_call(other.view(), request_.repeats.view(), shape_, buffer); }).join();
  } catch (const std::system_error&) {
    // Fewer threads may do.
  }
}

void LeakProbe::make_call(const TensorView& data, const TensorView& repeats, const Shape& output,
                          std::span<std::byte> buffer) const {
  const backends::PluginCall call{request_.definition, data, repeats, view_of(request_.axis)};
  calls_.begin();
  if (backend_.claim().infers) static_cast<void>(backend_.infer(call));
  static_cast<void>(backend_.run(call, backends::c_tensor(MutableTensorView{data.type, output, buffer})));
  calls_.end();
}

std::string LeakProbe::kept_of_ended_threads() const {
  const Tensor& data = request_.data.front();
  std::vector<std::byte> buffer(byte_size(data.type(), element_count(shape_).value()).value());
  try {
    return growth_over(many_calls, [&](std::int64_t) {
      std::thread([&] { make_call(data.view(), request_.repeats.view(), shape_, buffer); }).join();
    });
  } catch (const std::system_error&) {
    return {};
  }
}

std::string LeakProbe::kept_of_inferences() const {
  if (!backend_.claim().infers) return {};
  const backends::PluginCall call{request_.definition, request_.data.front().view(), request_.repeats.view(),
                                  view_of(request_.axis)};
  return growth_over(many_calls, [&](std::int64_t) {
    calls_.begin();
    static_cast<void>(backend_.infer(call));
    calls_.end();
  });
}

std::string LeakProbe::kept_of_refusals() const {
  const Tensor& data = request_.data.front();
  const Shape& given = data.shape();
  if (!backend_.claim().infers || data.type() == ElementType::string || given.size() != 2 ||
      data.count() == 0)
    return {};
  const auto size_of = [&data](std::int64_t count) { return byte_size(data.type(), count).value(); };
  const std::vector<std::byte> elements(size_of((given[0] + grid_side) * (given[1] + outer_end)));
  return growth_over_pairs([&](Pair pair) {
    const Shape shape{given[0] + pair.inner, given[1] + pair.outer};
    const TensorView other{data.type(), shape, std::span(elements).first(size_of(shape[0] * shape[1]))};
    const backends::PluginCall call{request_.definition, other, request_.repeats.view(),
                                    view_of(request_.axis)};
    calls_.begin();
    static_cast<void>(backend_.infer(call));
    calls_.end();
  });
}

bool LeakProbe::data_has_axes() const {
  const std::size_t rank = request_.data.front().shape().size();
  return rank >= 2 && shape_.size() >= rank;
}

std::string LeakProbe::kept_of_new_shapes() const {
  const Tensor& data = request_.data.front();
  const Shape& given = data.shape();
  if (data.type() == ElementType::string || !data_has_axes() || data.count() == 0) return {};
  const std::size_t added = shape_.size() - given.size();
  Shape times = shape_;
  for (std::size_t axis = 0; axis < given.size(); ++axis)
    times[added + axis] /= given[axis];
  const std::int64_t copies = element_count(times).value_or(0);
  constexpr std::int64_t affordable = 8;
  if (copies == 0 || copies > affordable) return {};
  const auto size_of = [&data](std::int64_t count) { return byte_size(data.type(), count).value(); };
  const std::vector<std::byte> elements(size_of(outer_end * grid_side));
  std::vector<std::byte> buffer(size_of(outer_end * grid_side * copies));
  return growth_over_pairs([&](Pair pair) {
    Shape shape(given.size(), 1), output = times;
    // Rows become long soon, because what is kept may be of the longer ones alone.
    shape[0] = 1 + pair.outer;
    shape[1] = 1 + pair.inner;
    output[added] *= shape[0];
    output[added + 1] *= shape[1];
    const std::int64_t count = shape[0] * shape[1];
    make_call({data.type(), shape, std::span(elements).first(size_of(count))}, request_.repeats.view(),
              output, std::span(buffer).first(size_of(count * copies)));
  });
}

std::string LeakProbe::kept_of_new_repeats() const {
  const Tensor& data = request_.data.front();
  const Tensor& given = request_.repeats;
  // Few other calls have such repeats, and types of 8 bits not all of them.
  constexpr std::int64_t least = 28, most = least + outer_end;
  if (data.type() == ElementType::string || !data_has_axes() || given.count() < 2 ||
      bits(given.type()) <= 8 || is_real(given.type()))
    return {};
  const std::size_t last = shape_.size() - 1;
  const Shape ones(data.shape().size(), 1);
  const auto size_of = [&data](std::int64_t count) { return byte_size(data.type(), count).value(); };
  const std::vector<std::byte> element(size_of(1));
  std::vector<std::byte> buffer(size_of(most * most));
  Tensor repeats(given.type(), given.shape());
  for (std::int64_t index = 0; index < repeats.count(); ++index)
    repeats.set_element(index, {.low = 1});
  return growth_over_pairs([&](Pair pair) {
    Shape output(shape_.size(), 1);
    output[last] = least + pair.inner;
    output[last - 1] = least + pair.outer;
    repeats.set_element(repeats.count() - 1, {.low = static_cast<std::uint64_t>(output[last])});
    repeats.set_element(repeats.count() - 2, {.low = static_cast<std::uint64_t>(output[last - 1])});
    make_call({data.type(), ones, element}, repeats.view(), output,
              std::span(buffer).first(size_of(output[last] * output[last - 1])));
  });
}

}  // namespace certile::conformance
