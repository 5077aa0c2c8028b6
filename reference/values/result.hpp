#pragma once
#include <string>
#include <utility>
#include <variant>

namespace certile {

// Why something could not be done: a code to branch on, a sentence to print.
struct Error {
  enum class Code {
    bad_literal,     // a text that does not say what it should
    rejected,        // the definition refuses this call; `clause` is the clause that says so
    unsupported,     // whoever was asked does not do this
    out_of_memory,   // a resource was missing, which is not a refusal of the definition
    backend_failed,  // an implementation says that it failed
    io,              // a file, a process, the operating system
  } code;
  std::string what;
  std::string clause = {};
};

// A value or an Error.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}
  explicit operator bool() const noexcept { return state_.index() == 0; }
  const T& operator*() const& { return std::get<0>(state_); }
  T& operator*() & { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  const T* operator->() const { return &std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

struct Done {};  // Result<Done>: it worked, and there is nothing to say

}  // namespace certile
