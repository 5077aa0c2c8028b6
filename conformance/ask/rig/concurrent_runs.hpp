#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "backends/plugin/plugin.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "conformance/ask/wire/request.hpp"
#include "conformance/facts/environment.hpp"

namespace certile::conformance {

// A group of threads that begin together, because a thread is done sooner than another is started.  If the
// system gives fewer than are wanted, none of them begins.
class ConcurrentThreads {
 public:
  ConcurrentThreads() = default;
  ConcurrentThreads(const ConcurrentThreads&) = delete;
  ConcurrentThreads& operator=(const ConcurrentThreads&) = delete;
  ~ConcurrentThreads() { tell(Word::leave); }  // ends threads that still wait

  // Starts `count` threads, which wait to do `work(0)`, `work(1)`, …  Returns an empty text, or the reason:
  // "the system gave 2 of 4 threads: Resource temporarily unavailable".
  template <class Work>
  std::string start(std::size_t count, Work work) {
    const std::size_t processors = static_cast<std::size_t>(processors_allowed());
    most_at_once_ = std::min(count, processors);
    threads_.reserve(count);
    try {
      while (threads_.size() < count)
        threads_.emplace_back([this, work, lane = threads_.size()] {
          waiting_.fetch_add(1);
          waiting_.notify_one();
          word_.wait(Word::wait);
          if (word_.load() == Word::begin) work(lane);
        });
    } catch (const std::system_error& refused) {
      return "the system gave " + std::to_string(threads_.size()) + " of " + std::to_string(count) +
             " threads: " + refused.code().message();
    }
    return {};
  }

  // Lets the threads begin once all of them exist.
  void begin() {
    for (std::size_t there = 0; (there = waiting_.load()) < threads_.size();)
      waiting_.wait(there);
    tell(Word::begin);
  }

  // Waits until all threads have ended.
  void join() { threads_.clear(); }

  // Waits until all threads call this, once each, or as many as there are processors, for a millisecond at
  // most: one thread wakes long after another, and what they do next should begin at once.
  void meet() noexcept {
    met_.fetch_add(1);
    const auto end = std::chrono::steady_clock::now() + longest_to_meet;
    while (!have_met() && std::chrono::steady_clock::now() < end) {
    }
  }
  // Waits for the same without keeping a processor busy.
  void wait_until_met() noexcept {
    const auto end = std::chrono::steady_clock::now() + longest_to_meet;
    while (!have_met() && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
  }

 private:
  enum class Word { wait, begin, leave };
  static constexpr std::chrono::milliseconds longest_to_meet{1};

  bool have_met() const noexcept { return met_.load() >= most_at_once_; }
  void tell(Word word) {
    Word before = Word::wait;
    if (word_.compare_exchange_strong(before, word)) word_.notify_all();
  }

  std::atomic<std::size_t> waiting_{0}, met_{0};
  std::size_t most_at_once_ = 0;
  std::atomic<Word> word_{Word::wait};
  std::vector<std::jthread> threads_;
};

// An exception for a call that the rig could not make, or whose answer it could not check.
struct NotPossible {
  std::string why;
};

// The reply of the concurrent calls together, and what they left changed in a thread that made them, in
// words; empty if nothing is.
struct ConcurrentReply {
  RunReply run;
  std::string changed_state;
};

// The answers of concurrent inferences of one call: the first one, and whether they differ.
struct ConcurrentInferred {
  backends::Inferred inferred;
  bool differ = false;
};

// Infers the shape of the call from `placement.threads` threads, which begin together, a hundred times each;
// with `request.in_turn` from one thread.  Throws NotPossible if the system gives fewer threads.
ConcurrentInferred infer_concurrently(const backends::Plugin& backend, const Request& request,
                                      CallClock& calls);

// Calls `run` on one backend from `placement.threads` threads, each 1,000 times, less often if outputs are
// large, or more if few of these calls met another, with separate data and a separate output, poisoned before
// each call.  A thread's outputs must all be the same; the reply has each thread's first output, or the first
// that differs from it.  `calls` counts every call. Meanwhile the calling thread makes calls of
// another shape, and so does each thread after a share of its calls.  With `request.in_turn` one thread makes
// all these calls, one after the other. Throws NotPossible if the system gives fewer threads, and
// std::bad_alloc if it gives too little memory: then no call is judged.
ConcurrentReply run_concurrently(const backends::Plugin& backend, const Request& request, const Shape& shape,
                                 CallClock& calls);

}  // namespace certile::conformance
