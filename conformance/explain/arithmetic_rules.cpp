#include "conformance/explain/arithmetic_rules.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <vector>

#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

// The change that arithmetic made to a number.
enum class Change { nothing, zero_without_sign, quiet_nan, other_nan, flushed };

std::string_view words_for(Change change) {
  switch (change) {
    case Change::zero_without_sign:
      return "−0 became +0";
    case Change::quiet_nan:
      return "signalling NaNs became quiet";
    case Change::other_nan:
      return "NaNs became other NaNs";
    case Change::flushed:
      return "subnormal numbers became zero";
    default:
      return "";
  }
}

// The bits of a floating-point format of 16 bits or more.
class Bits {
 public:
  explicit Bits(const FloatFormat& format)
      : width_(format.width),
        mantissa_((std::uint64_t{1} << format.mantissa_bits) - 1),
        quiet_(std::uint64_t{1} << (format.mantissa_bits - 1)),
        sign_(std::uint64_t{1} << (format.width - 1)),
        exponent_((sign_ - 1) & ~mantissa_) {}

  int width() const { return width_; }
  // Returns nothing if arithmetic explains no such change.
  std::optional<Change> change(std::uint64_t from, std::uint64_t to) const {
    if (from == to) return Change::nothing;
    if (is_nan(from) && is_nan(to)) {
      const bool was_signalling = (from & quiet_) == 0;
      return was_signalling && to == (from | quiet_) ? Change::quiet_nan : Change::other_nan;
    }
    const bool becomes_zero = (to & ~sign_) == 0;
    if (from == sign_ && to == 0) return Change::zero_without_sign;
    if ((from & exponent_) == 0 && (from & mantissa_) != 0 && becomes_zero) return Change::flushed;
    return std::nullopt;
  }

 private:
  bool is_nan(std::uint64_t pattern) const {
    return (pattern & exponent_) == exponent_ && (pattern & mantissa_) != 0;
  }

  int width_;
  std::uint64_t mantissa_, quiet_, sign_, exponent_;
};

// Returns what happened to all wrong elements, which consist of numbers of this format; empty if anything
// else happened to one.
std::set<Change> changes_of(const WrongElements& found, const Bits& format, bool is_own) {
  std::set<Change> changes;
  const std::uint64_t mask =
      format.width() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << format.width()) - 1;
  for (const std::int64_t index : found.wrong) {
    if (found.is_unwritten(index)) return {};
    const Tensor::Bits right = found.expected.element(index), wrong = found.seen.element(index);
    for (int bit = 0; bit < bits(found.expected.type()); bit += format.width()) {
      const auto part = [&](const Tensor::Bits& it) {
        return (bit < 64 ? it.low >> bit : it.high >> (bit - 64)) & mask;
      };
      const auto change = format.change(part(right), part(wrong));
      if (!change) return {};
      // Small whole numbers, read as another type, are subnormal numbers; their zeros say nothing.
      if (*change == Change::flushed && !is_own) return {};
      if (*change != Change::nothing) changes.insert(*change);
    }
  }
  return changes;
}

// Returns the formats in which the elements may have been read: their own, or those of their width.
std::vector<ElementType> formats_for(ElementType type) {
  switch (bits(type)) {
    case 16:
      return type == ElementType::bf16 ? std::vector{type} : std::vector{ElementType::f16, ElementType::bf16};
    case 32:
      return {ElementType::f32};
    case 64:
      return type == ElementType::c64 ? std::vector{ElementType::f32}
                                      : std::vector{ElementType::f64, ElementType::f32};
    case 128:
      return {ElementType::f64};
    default:
      return {};
  }
}

}  // namespace

std::string changed_by_arithmetic(const WrongElements& found) {
  const ElementType type = found.expected.type();
  if (type == ElementType::string) return {};
  for (const ElementType format : formats_for(type)) {
    const bool is_own = type == format || type == ElementType::c64 || type == ElementType::c128;
    const std::set<Change> changes = changes_of(found, Bits(*float_format(format)), is_own);
    if (changes.empty()) continue;
    std::vector<std::string> words;
    for (const Change change : changes)
      words.emplace_back(words_for(change));
    return fmt::format("the expected ones, but {}{}", is_own ? "" : fmt::format("read as {}, ", name(format)),
                       joined(words, " and "));
  }
  return {};
}

}  // namespace certile::conformance
