#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace certile::conformance {

// A reader of untrusted bytes, as a fuzzer sees it.  It returns from any bytes, and its output reads as the
// same value again.  If one of its checks fails, it ends the program, because that is what a fuzzer looks
// for.
struct FuzzTarget {
  std::string_view name;  // as in `--target=NAME` and in the name of its seeds
  void (*take)(std::span<const std::byte> input);
};

// Returns the targets of this program; each program has its own list.
std::span<const FuzzTarget> fuzz_targets() noexcept;

// Returns the target of that name; ends the program if there is none, after listing the targets.
const FuzzTarget& fuzz_target(std::string_view name);

// Ends the program with the sentence, unless `holds`.
void insist(bool holds, std::string_view sentence);

inline std::string_view as_text(std::span<const std::byte> input) noexcept {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

}  // namespace certile::conformance
