#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "reference/values/result.hpp"

namespace certile {

// SHA-256, taken piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  // 64 hex digits, lower case.  Nothing may be added afterwards.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The SHA-256 of these bytes: 64 hex digits, lower case.
std::string sha256_hex(std::string_view bytes);

// The same of what can be read from a descriptor until its end; io with the system's reason when it cannot be
// read, about the file `named`.
Result<std::string> sha256_of_descriptor(int descriptor, const std::string& named);

}  // namespace certile
