#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace certile {

// A reader of bytes that somebody else wrote, as a fuzzer sees it.  It comes back from any bytes at all, and
// what it read and wrote again reads as the same.  What should hold and does not ends the program, since that
// is what a fuzzer looks for.
struct FuzzTarget {
  std::string_view name;  // as `--target=NAME` and the folder of its seeds spell it
  void (*take)(std::span<const std::byte> input);
};

// Those of this program, each of which has its own list.
std::span<const FuzzTarget> fuzz_targets() noexcept;

// The one of that name; ends the program where there is none, and says which there are.
const FuzzTarget& fuzz_target(std::string_view name);

// Ends the program with the sentence, unless `holds`.
void insist(bool holds, std::string_view sentence);

inline std::string_view as_text(std::span<const std::byte> input) noexcept {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

}  // namespace certile
