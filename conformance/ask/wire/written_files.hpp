#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace certile::conformance {

// The paths that a backend opened to write to, in memory that the runner shares with the backend's processes.
// The runner trusts no byte of it.
class WrittenFiles {
 public:
  // Adds a path that is not there yet, if there is room.  Several threads and processes may call it.
  void note(std::string_view path, bool was_refused) noexcept;
  // Returns the lines, "+PATH" or "-PATH" for a refused one.
  std::set<std::string> lines() const;

 private:
  static constexpr std::size_t room = 4096;
  std::atomic<std::uint32_t> used_;
  std::array<char, room> text_;
};

}  // namespace certile::conformance
