#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "reference/values/result.hpp"

namespace certile::conformance {

// A SHA-256 of bytes that are added piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  // Returns the digest of the bytes so far: 64 hex digits, lower case.
  std::string hex_so_far() const;
  // Returns 64 hex digits, lower case.  Nothing may be added afterwards.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns the SHA-256 of these bytes: 64 hex digits, lower case.
std::string sha256_hex(std::string_view bytes);

// Returns the same of the bytes that a descriptor yields until its end.  Error io with the system's reason,
// about the file `named`.
Result<std::string> sha256_of_descriptor(int descriptor, const std::string& named);

}  // namespace certile::conformance
