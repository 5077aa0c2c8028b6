#pragma once
#include <string>
#include <utility>
#include <variant>

namespace certile {

// The reason why something failed: a code to branch on, and a sentence to print.
struct Error {
  enum class Code {
    bad_literal,     // a malformed text
    rejected,        // the definition refuses this call; `clause` is the clause that refuses it
    unsupported,     // not supported by the backend or the program
    out_of_memory,   // a resource was missing, which is not a refusal by the definition
    backend_failed,  // an implementation reports a failure
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

struct Done {};  // Result<Done>: success without a value

}  // namespace certile

// Declares a variable that has the value of a Result; returns the error from the function if there is none.
#define TRY(declaration, ...) TRY_ON_LINE(__LINE__, declaration, __VA_ARGS__)
#define TRY_ON_LINE(line, declaration, ...) TRY_NAMED(line, declaration, __VA_ARGS__)
#define TRY_NAMED(line, declaration, ...)                         \
  auto tried_on_line_##line = __VA_ARGS__;                        \
  if (!tried_on_line_##line) return tried_on_line_##line.error(); \
  declaration = *std::move(tried_on_line_##line)
