#include "conformance/ask/rig/unlike_calls.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "backends/plugin/status.hpp"

namespace certile::conformance {

// Where the system refuses, the thread keeps its processors, and calls are made as usual.
ConfinedThread::ConfinedThread() : before_(ThreadState::now()) {
  cpu_set_t all{}, one{};
  sched_getaffinity(0, sizeof all, &all);
  int first = 0;
  while (first + 1 < CPU_SETSIZE && !CPU_ISSET(static_cast<std::size_t>(first), &all))
    ++first;
  CPU_SET(static_cast<std::size_t>(first), &one);
  sched_setaffinity(0, sizeof one, &one);
  confined_ = ThreadState::now();
}

namespace {

constexpr std::size_t width = 64;  // of the widest vector, in bytes

}  // namespace

SideBySide::SideBySide(std::size_t count, std::size_t size) : bytes_(count * (size + 2 * width)) {
  std::span<std::byte> rest(bytes_);
  const auto take = [&rest](std::size_t length) {
    const std::span<std::byte> taken = rest.first(length);
    rest = rest.subspan(length);
    return taken;
  };
  while (places_.size() < count) {
    Place& place = places_.emplace_back();
    place.before = take(width);
    place.output = take(size);
    place.behind = take(width);
  }
}

void SideBySide::change_around(std::size_t index) noexcept {
  Place& place = places_[index];
  const std::uint32_t changes = place.changes.load(std::memory_order_relaxed);
  for (const std::span<std::byte> each : {place.before, place.behind}) {
    const auto is_left = [changes](std::byte byte) { return byte == static_cast<std::byte>(changes); };
    place.is_undone = place.is_undone || !std::ranges::all_of(each, is_left);
    std::ranges::fill(each, static_cast<std::byte>(changes + 1));
  }
  place.changes.store(changes + 1, std::memory_order_relaxed);
}

bool SideBySide::has_undone_change() noexcept {
  for (std::size_t index = 0; index < places_.size(); ++index)
    change_around(index);
  return std::ranges::any_of(places_, &Place::is_undone);
}

namespace {

// Returns the output's shape if the data's axes are `turned` instead of `data`; `output` is the output's
// without that. The repeats keep their places.  None if an axis without elements hides its repeat.
std::optional<Shape> output_of_turned(const Shape& data, const Shape& turned, const Shape& output) {
  Shape result = output;
  const std::size_t added = output.size() - data.size();  // axes in front, from the repeats alone
  for (std::size_t axis = 0; axis < data.size(); ++axis) {
    if (data[axis] == 0) return std::nullopt;
    result[added + axis] = output[added + axis] / data[axis] * turned[axis];
  }
  return result;
}

bool has_text_or_flags(ElementType type) {
  return type == ElementType::string || type == ElementType::boolean;
}

}  // namespace

UnlikeCalls::UnlikeCalls(const backends::Plugin& backend, const Request& request, const Shape& shape,
                         CallClock& calls)
    : backend_(backend), request_(request), calls_(calls), most_(std::size_t{1} << 20) {
  add_all(shape);
}

UnlikeCalls::UnlikeCalls(const backends::Plugin& backend, const Request& request, const Shape& shape,
                         CallClock& calls, std::size_t lane)
    : backend_(backend), request_(request), calls_(calls), most_(std::size_t{1} << 16) {
  add_all(shape);
  const auto number = static_cast<std::int64_t>(lane);
  add_longer(shape, 2 + number);
  const auto count = element_count(shape);
  const auto size = count ? byte_size(request.data.front().type(), *count) : std::nullopt;
  if (size && *size > 0) add_longer(shape, static_cast<std::int64_t>(most_ / *size) - number);
  next_ = lane;
}

void UnlikeCalls::add_all(const Shape& output) {
  add_other_shape(output);
  add_other_repeats();
  add_other_types(output);
  add_text(output);
  add_refused(output);
}

void UnlikeCalls::add(ElementType type, const Shape& shape, const Shape& output, const Tensor& repeats) {
  const auto size_of = [&](const Shape& each) {
    const auto count = element_count(each);
    return count ? byte_size(type, *count).value_or(most_ + 1) : most_ + 1;
  };
  const std::size_t size = size_of(output), given = size_of(shape);
  if (size > most_ || given > most_) return;
  const std::span<const std::byte> bytes = request_.data.front().bytes();
  Unlike unlike{type,    shape,
                output,  std::vector<std::byte>(given, std::byte{0x11}),
                repeats, std::vector<std::byte>(size)};
  if (type == request_.data.front().type())
    for (std::size_t index = 0; index < given; ++index)
      unlike.data[index] = bytes[index % bytes.size()];
  unlike.is_refused = !request_.shape_digest && repeats == request_.repeats;
  unlike_.push_back(std::move(unlike));
}

void UnlikeCalls::add_other_shape(const Shape& output) {
  const Tensor& data = request_.data.front();
  Shape turned = data.shape();
  if (!turned.empty()) std::rotate(turned.begin(), turned.begin() + 1, turned.end());
  if (turned == data.shape()) return;
  if (const auto shape = output_of_turned(data.shape(), turned, output))
    add(data.type(), turned, *shape, request_.repeats);
}

// Adds the call for data whose last axis is as many times longer, two or more.
void UnlikeCalls::add_longer(const Shape& output, std::int64_t times) {
  const Tensor& data = request_.data.front();
  if (times < 2 || data.shape().empty() || data.bytes().empty()) return;
  Shape longer = data.shape(), longer_output = output;
  longer.back() *= times;
  longer_output.back() *= times;
  add(data.type(), longer, longer_output, request_.repeats);
}

// Adds the call that repeats nothing.
void UnlikeCalls::add_other_repeats() {
  const Tensor& data = request_.data.front();
  const std::int64_t given = request_.repeats.count();
  const bool is_one_axis = request_.axis.has_value();
  if (is_real(request_.repeats.type())) return;  // ones of these types are more than a single bit
  const Shape ones(static_cast<std::size_t>(given), 1);
  Tensor repeats(request_.repeats.type(), request_.repeats.shape());
  for (std::int64_t index = 0; index < given; ++index)
    repeats.set_element(index, {.low = 1});
  Shape output = data.shape();
  if (!is_one_axis)
    while (output.size() < ones.size())
      output.insert(output.begin(), 1);
  add(data.type(), data.shape(), output, repeats);
}

// Adds the same call of a claimed type with narrower elements, and of one with wider ones.
void UnlikeCalls::add_other_types(const Shape& output) {
  const Tensor& data = request_.data.front();
  if (is_real(request_.repeats.type())) return;  // tiles of the data's type
  bool has_narrower = false, has_wider = false;
  for (const ElementType type : backend_.claim().types) {
    if (has_text_or_flags(type) || is_packed(type)) continue;
    bool& has_one = bits(type) < bits(data.type()) ? has_narrower : has_wider;
    if (bits(type) == bits(data.type()) || std::exchange(has_one, true)) continue;
    add(type, data.shape(), output, request_.repeats);
  }
}

// Adds the same call of strings, which implementations copy in another way than numbers.
void UnlikeCalls::add_text(const Shape& output) {
  const auto& types = backend_.claim().types;
  if (is_real(request_.repeats.type()) || request_.data.front().type() == ElementType::string ||
      std::ranges::find(types, ElementType::string) == types.end())
    return;
  const std::size_t before = unlike_.size();
  add(ElementType::string, request_.data.front().shape(), output, request_.repeats);
  if (unlike_.size() == before) return;
  std::vector<std::byte>& data = unlike_.back().data;
  constexpr StringElement text{"text", 4};
  for (std::size_t at = 0; at + sizeof text <= data.size(); at += sizeof text)
    std::memcpy(data.data() + at, &text, sizeof text);
}

// Adds a call that every definition refuses, because an axis with several elements is repeated too often.
void UnlikeCalls::add_refused(const Shape& output) {
  const Tensor& data = request_.data.front();
  const ElementType type = request_.repeats.type();
  const bool is_wide = type == ElementType::i64 || type == ElementType::u64;
  if (!is_wide || data.count() < 2 || !backend_.claim().infers) return;
  Tensor repeats(type, request_.repeats.shape());
  for (std::int64_t index = 0; index < repeats.count(); ++index)
    repeats.set_element(index, {.low = std::uint64_t{std::numeric_limits<std::int64_t>::max()}});
  add(data.type(), data.shape(), output, repeats);
  if (!unlike_.empty() && unlike_.back().repeats == repeats) unlike_.back().is_refused = true;
}

void UnlikeCalls::call_once() {
  std::optional<backends::PluginCall> call;
  call_once(call);
}

void UnlikeCalls::call_once(std::optional<backends::PluginCall>& call) {
  if (unlike_.empty()) return;
  Unlike& unlike = unlike_[next_++ % unlike_.size()];
  call.emplace(request_.definition, TensorView{unlike.type, unlike.shape, unlike.data}, unlike.repeats.view(),
               view_of(request_.axis));
  calls_.begin();
  const bool is_refused = backend_.claim().infers && backend_.infer(*call).status == Status::rejected;
  if (is_refused || !unlike.is_refused)
    static_cast<void>(backend_.run(
        *call, backends::c_tensor(MutableTensorView{unlike.type, unlike.output, unlike.buffer})));
  calls_.end();
}

}  // namespace certile::conformance
