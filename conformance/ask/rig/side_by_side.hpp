#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace certile::conformance {

// The outputs of concurrent calls, in one memory.  The first lies alone, the others in pairs of which one
// begins where the other ends; between them are bytes that belong to nobody.
class SideBySide {
 public:
  // Makes `count` outputs of `size` bytes, the size of whole elements, so that each is aligned for them.
  // Throws std::bad_alloc.
  SideBySide(std::size_t count, std::size_t size);
  SideBySide(const SideBySide&) = delete;
  SideBySide& operator=(const SideBySide&) = delete;

  const std::vector<std::span<std::byte>>& outputs() const noexcept { return outputs_; }

  // [CT-THREADS] Changes the bytes of nobody, while calls are under way: a call that puts back what it found
  // behind its output undoes the change.
  void change_between() noexcept;
  // Returns true if a change was undone.
  bool is_undone() const noexcept { return is_undone_; }

 private:
  std::vector<std::byte> bytes_;
  std::vector<std::span<std::byte>> outputs_, between_;
  std::byte last_{0};  // what change_between() wrote
  bool is_undone_ = false;
};

}  // namespace certile::conformance
