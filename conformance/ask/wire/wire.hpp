#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "conformance/facts/claim.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

// Numbers, texts and tensors are written one after the other into a buffer, and read back with every bound
// checked, because either side may be broken.

class WireWriter {
 public:
  explicit WireWriter(std::span<std::byte> buffer) noexcept : buffer_(buffer) {}

  // Returns false from the first value on that did not fit.
  bool fits() const noexcept { return fits_; }
  std::size_t used() const noexcept { return used_; }
  std::span<std::byte> rest() const noexcept { return buffer_.subspan(used_); }

  template <class Number>
  void number(Number value) noexcept {
    static_assert(std::is_trivially_copyable_v<Number>);
    bytes(std::as_bytes(std::span(&value, 1)));
  }
  void bytes(std::span<const std::byte> bytes) noexcept;
  // Writes at most `limit` bytes of the text.
  void text(std::string_view text, std::size_t limit = 4096) noexcept;
  void shape(std::span<const std::int64_t> shape) noexcept;
  // Writes type, shape and content; a string tensor as sizes and characters.
  void tensor(const Tensor& tensor) noexcept;
  // Overwrites a number at an earlier place.
  void patch(std::size_t where, std::uint32_t value) noexcept;

 private:
  std::span<std::byte> buffer_;
  std::size_t used_ = 0;
  bool fits_ = true;
};

class WireReader {
 public:
  explicit WireReader(std::span<const std::byte> buffer) noexcept : buffer_(buffer) {}

  // Returns false from the first value on that was missing or invalid.
  bool good() const noexcept { return good_; }
  std::size_t used() const noexcept { return used_; }

  template <class Number>
  Number number() noexcept {
    Number value{};
    const auto source = bytes(sizeof value);
    if (good_) std::memcpy(&value, source.data(), sizeof value);
    return value;
  }
  // Reads a bool from any byte: a byte that is neither 0 nor 1 must not become a bool unchecked.
  bool flag() noexcept { return number<std::uint8_t>() != 0; }
  std::span<const std::byte> bytes(std::size_t size) noexcept;
  std::string text();
  Shape shape();
  std::optional<Tensor> tensor();
  void fail() noexcept { good_ = false; }

 private:
  std::span<const std::byte> buffer_;
  std::size_t used_ = 0;
  bool good_ = true;
};

// Writes the words of a claim, without a worker's: workers are asked without a host.
void write_claim(WireWriter& writer, const Claim& claim);
// Returns nothing if the bytes are not a claim.
std::optional<Claim> read_claim(WireReader& reader);

}  // namespace certile::conformance
