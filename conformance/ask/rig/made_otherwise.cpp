#include "conformance/ask/rig/made_otherwise.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <new>
#include <semaphore>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/ask/rig/concurrent_runs.hpp"
#include "conformance/ask/rig/rig.hpp"
#include "reference/values/fill.hpp"

namespace certile::conformance {
namespace {

// Returns the parts of the data, in 1,024ths of its bytes, in which one bit is changed and changed back: both
// ends, the middle, and places that a sample of some vectors would not meet.
constexpr std::array<std::size_t, 6> changed_places{0, 1023, 512, 301, 777, 45};

constexpr std::size_t most_copied = std::size_t{8} << 20;  // bytes; copies take the memory of the call

// Infers the call's shape in another thread.  Returns false if the system gives none.
bool infer_elsewhere(const SoakedCall& soaked, const certile_call& call) {
  try {
    std::thread([&] { static_cast<void>(soaked.infer(call)); }).join();
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

// Makes the call, and returns its answer if that is unlike the first one.
std::optional<UnlikeAnswer> unlike_answer(const SoakedCall& soaked, const certile_call& call) {
  const std::byte pattern = Rig::poison[0];
  backends::Ran ran = soaked.run(call, pattern);
  if (soaked.is_alike(ran, pattern)) return std::nullopt;
  return UnlikeAnswer{std::move(ran), pattern};
}

}  // namespace

std::optional<UnlikeAnswer> made_after_changes_in_place(UnlikeCalls& unlike, const SoakedCall& soaked) {
  const Request& request = soaked.request();
  const Tensor& data = request.data.front();
  if (soaked.is_text() || data.bytes().empty() || data.bytes().size() > most_copied) return std::nullopt;
  std::vector<std::vector<std::byte>> copies(changed_places.size(),
                                             {data.bytes().begin(), data.bytes().end()});
  for (std::size_t number = 0; number < changed_places.size(); ++number) {
    // An implementation has kept nothing of this address.
    std::vector<std::byte>& bytes = copies[number];
    std::byte& changed = bytes[changed_places[number] * (bytes.size() - 1) / 1023];
    const backends::PluginCall call(request.definition, {data.type(), data.shape(), bytes},
                                    request.repeats.view(), view_of(request.axis));
    // What was kept of the call itself gives way.
    unlike.call_once();
    // The lowest bit, which keeps a boolean one.
    changed ^= std::byte{1};
    static_cast<void>(soaked.run(call));
    changed ^= std::byte{1};
    if (auto found = unlike_answer(soaked, call)) return found;
  }
  return std::nullopt;
}

std::optional<UnlikeAnswer> made_in_structures_of(UnlikeCalls& unlike, const SoakedCall& soaked) {
  const Request& request = soaked.request();
  if (!soaked.backend().claim().infers) return std::nullopt;
  std::optional<backends::PluginCall> call;  // the one place of all these calls
  for (std::size_t kind = 0; kind < unlike.kinds(); ++kind) {
    unlike.call_once(call);
    call.emplace(request.definition, request.data.front().view(), request.repeats.view(),
                 view_of(request.axis));
    if (!infer_elsewhere(soaked, *call)) return std::nullopt;
    if (auto found = unlike_answer(soaked, *call)) return found;
  }
  return std::nullopt;
}

std::optional<UnlikeAnswer> made_after_another_repeat(const SoakedCall& soaked) {
  const Request& request = soaked.request();
  const ElementType type = request.repeats.type();
  // One less in the first byte is one less of the repeat, but not in packed and in real numbers.
  if (!soaked.backend().claim().infers || is_packed(type) || is_real(type) ||
      request.repeats.bytes().empty() || request.repeats.bytes().front() == std::byte{0})
    return std::nullopt;
  std::vector<std::byte> repeats(request.repeats.bytes().begin(), request.repeats.bytes().end());
  const backends::PluginCall call(request.definition, request.data.front().view(),
                                  {type, request.repeats.shape(), repeats}, view_of(request.axis));
  const std::byte given = repeats.front();
  repeats.front() = std::byte(std::to_integer<unsigned>(given) - 1);
  static_cast<void>(soaked.infer(call));
  repeats.front() = given;
  return unlike_answer(soaked, call);
}

std::optional<UnlikeAnswer> made_next_to_its_data(const SoakedCall& soaked) {
  const Request& request = soaked.request();
  const Tensor& data = request.data.front();
  const std::size_t given = data.bytes().size(), made = soaked.output().size();
  if (soaked.is_text() || given == 0 || given + made > most_copied) return std::nullopt;
  std::vector<std::byte> both(given + made);
  for (const std::size_t begin : {std::size_t{0}, made}) {
    const std::span<std::byte> input = std::span(both).subspan(begin, given);
    const std::span<std::byte> output = std::span(both).subspan(begin == 0 ? given : 0, made);
    std::ranges::copy(data.bytes(), input.begin());
    const backends::PluginCall call(request.definition, {data.type(), data.shape(), input},
                                    request.repeats.view(), view_of(request.axis));
    backends::Ran ran = soaked.run_at(output, call, Rig::poison[0]);
    if (!soaked.is_alike(ran, Rig::poison[0]))
      return UnlikeAnswer{std::move(ran), Rig::poison[0], &RunReply::misplaced};
  }
  return std::nullopt;
}

namespace {

// A group of threads that live at once, each of which works only on request.
class ManyThreads {
 public:
  explicit ManyThreads(std::size_t count) {
    while (told_.size() < count)
      told_.emplace_back(0);
  }
  ManyThreads(const ManyThreads&) = delete;
  ManyThreads& operator=(const ManyThreads&) = delete;
  ~ManyThreads() {
    work_ = nullptr;
    for (auto& told : told_)
      told.release();
  }

  // Starts the threads.  Returns false if the system gives fewer.
  bool start() {
    const auto serve = [this](std::size_t lane) {
      for (told_[lane].acquire(); work_ != nullptr; told_[lane].acquire()) {
        try {
          work_(lane);
        } catch (const std::bad_alloc&) {
          // The next case says that memory lacks.
        }
        done_.release();
      }
    };
    if (!threads_.start(told_.size(), serve).empty()) return false;
    threads_.begin();
    return true;
  }

  // Lets these threads do `work` at the same time, and waits for them.
  void have(std::initializer_list<std::size_t> lanes, const std::function<void(std::size_t lane)>& work) {
    work_ = work;
    for (const std::size_t lane : lanes)
      told_[lane].release();
    for (std::size_t waiting = lanes.size(); waiting > 0; --waiting)
      done_.acquire();
  }

 private:
  std::function<void(std::size_t lane)> work_ = [](std::size_t) {};
  std::deque<std::binary_semaphore> told_;
  std::counting_semaphore<> done_{0};
  ConcurrentThreads threads_;
};

}  // namespace

std::optional<UnlikeAnswer> made_among_many_threads(UnlikeCalls& unlike, const SoakedCall& soaked) {
  // On a busy machine the calls of two threads meet later, so the first thread waits until they have.
  constexpr std::chrono::milliseconds long_enough{2}, longest{100};
  if (soaked.is_text() || unlike.kinds() == 0) return std::nullopt;
  const Request& request = soaked.request();
  const backends::PluginCall call(request.definition, request.data.front().view(), request.repeats.view(),
                                  view_of(request.axis));
  std::vector<std::byte> place(soaked.output().size());
  std::optional<UnlikeAnswer> found;
  const auto make_soaked = [&] {
    backends::Ran ran = soaked.run_at(place, call, Rig::poison[0]);
    if (!soaked.is_alike(ran, Rig::poison[0]))
      found = UnlikeAnswer{std::move(ran), Rig::poison[0], &RunReply::raced};
  };
  constexpr std::size_t farthest = 128;
  constexpr int least_met = 8;
  ManyThreads threads(farthest + 1);
  if (!threads.start()) return std::nullopt;
  // Their numbers are in the order of their first calls.
  for (std::size_t lane = 0; lane <= farthest; ++lane)
    threads.have({lane}, [&](std::size_t) { make_soaked(); });
  for (std::size_t distance = 16; distance <= farthest && !found; distance *= 2) {
    std::atomic<bool> is_over{false};
    std::atomic<int> others{0};  // calls of the other thread
    int met = 0;
    threads.have({0, distance}, [&](std::size_t lane) {
      const auto begin = std::chrono::steady_clock::now();
      const auto goes_on = [&] {
        const auto took = std::chrono::steady_clock::now() - begin;
        return !found && (took < long_enough || (met < least_met && took < longest));
      };
      while (lane == 0 && goes_on()) {
        const int before = others;
        make_soaked();
        if (others != before) ++met;
      }
      if (lane == 0) is_over = true;
      for (; !is_over; ++others)
        unlike.call_once();
    });
  }
  return found;
}

}  // namespace certile::conformance
