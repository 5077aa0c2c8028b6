#include "conformance/ask/rig/store_instruction.hpp"

namespace certile::conformance {

// Follows the tables of the Arm Architecture Reference Manual, "Loads and Stores" and "SVE encodings", as far
// as compilers and the C library use them.
bool is_aarch64_store(std::uint32_t instruction) noexcept {
  const auto bits = [instruction](unsigned first, unsigned count) {
    return (instruction >> first) & ((1U << count) - 1);
  };
  const bool sve_store = bits(25, 7) == 0b1110010;
  const bool zeroes_a_line = bits(5, 27) == 0xd50b7420U >> 5;  // DC ZVA, which memset uses to write zeros
  if (sve_store || zeroes_a_line) return true;
  const bool load_or_store = bits(27, 1) == 1 && bits(25, 1) == 0;
  if (!load_or_store) return false;
  const bool vector_register = bits(26, 1) == 1;
  switch (bits(28, 2)) {
    case 0b00:  // exclusive and ordered ones, structures of vectors
    case 0b10:  // pairs
      return bits(22, 1) == 0;
    case 0b01:  // relative to the program counter, which is a load, or with release
      return bits(24, 1) == 1 && bits(22, 2) == 0;
    default: {  // one register
      const bool atomic = bits(24, 1) == 0 && bits(21, 1) == 1 && bits(10, 2) == 0;
      return atomic || bits(22, 2) == 0b00 || (vector_register && bits(22, 2) == 0b10);
    }
  }
}

}  // namespace certile::conformance
