#pragma once
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <span>
#include <vector>

#include "backends/plugin/plugin.hpp"
#include "backends/plugin/status.hpp"
#include "conformance/ask/rig/arena.hpp"
#include "conformance/ask/rig/growth.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "conformance/ask/wire/request.hpp"

namespace certile::conformance {

// A limit in seconds.  Time of processors is what a busy machine does not stretch; the wall clock stops calls
// that wait: it counts where they compute for less than a tenth of it, which no load of a few loops brings
// about.
struct Patience {
  double processors, wall;
};

// The time since it was made, which all threads of the process share.
class Stopwatch {
 public:
  bool exceeds(const Patience& patience) const noexcept {
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    // All processors together compute no longer than that, and their clock is a hundred times more expensive.
    if (wall < patience.wall && wall * processors() < patience.processors) return false;
    const double computed = static_cast<double>(std::clock() - processor_begin_) / CLOCKS_PER_SEC;
    return computed >= patience.processors || (wall >= patience.wall && computed < wall / 10);
  }

 private:
  static double processors() noexcept {
    static const auto configured = static_cast<double>(sysconf(_SC_NPROCESSORS_CONF));
    return configured;
  }

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::clock_t processor_begin_ = std::clock();
};

// A call that is made again and again into the same output, and its first answer.
class SoakedCall {
 public:
  // Keeps the bytes in `output` as the first answer if `ended` is ok.  `shape` is the shape of the output.
  // Every argument outlives this object.
  SoakedCall(const backends::Plugin& backend, const Request& request, const Shape& shape, Arena& output,
             ControlBlock& control, Status ended);

  bool is_text() const noexcept { return type_ == ElementType::string; }
  bool is_answered() const noexcept { return ended_ == Status::ok; }
  const backends::Plugin& backend() const noexcept { return backend_; }
  const Request& request() const noexcept { return request_; }
  const Shape& shape() const noexcept { return shape_; }
  std::span<std::byte> output() const noexcept { return output_.written(); }

  // Infers the shape of a call, in whatever thread.
  backends::Inferred infer(const certile_call& call) const;
  // Fills the output with the call's answer.
  backends::Ran run(const certile_call& call) const;
  // Fills the output with the pattern first.
  backends::Ran run(const certile_call& call, std::byte pattern) const;
  // Fills the output with the answer that the call gives at another place, which has the pattern first. Other
  // threads may make other calls meanwhile.
  backends::Ran run_at(std::span<std::byte> place, const certile_call& call, std::byte pattern) const;
  // Returns true if the call, before which the output had this pattern, was answered like the first one.
  bool is_alike(const backends::Ran& ran, std::byte pattern) const;

 private:
  std::vector<std::byte> strings(std::byte pattern) const;

  const backends::Plugin& backend_;
  const Request& request_;
  const Shape& shape_;
  Arena& output_;
  ControlBlock& control_;
  ElementType type_;
  Status ended_;
  std::byte last_used_;  // the bits of the last byte that belong to elements
  std::vector<std::byte> first_;
};

// The length of a soak, which is a number of calls, or a time if the calls are slow; and both several times
// if a resource grows, because growth is charged only if it does not end.
class SoakLength {
 public:
  explicit SoakLength(std::int64_t wanted) noexcept : wanted_(wanted) {}

  // Returns true if another call follows `calls`.  `growth` has just got a sample.
  bool goes_on(std::int64_t calls, const Growth& growth) const;
  // Returns true if the calls are so slow that not even those before the next sample are worth their time.
  bool is_too_slow() const noexcept;

 private:
  std::int64_t wanted_;
  Stopwatch stopwatch_;
};

}  // namespace certile::conformance
