#include "conformance/ask/rig/fault_handler.hpp"

#include <gtest/gtest.h>

namespace certile::conformance {
namespace {

// An encoding as an assembler makes it.
struct Encoding {
  std::uint32_t instruction;
  const char* text;
};

TEST(StoreInstruction, IsEveryOneThatWrites) {
  constexpr Encoding stores[] = {
      {0xf9000020, "str x0, [x1]"},
      {0x39000c20, "strb w0, [x1, #3]"},
      {0x78002420, "strh w0, [x1], #2"},
      {0xb8226820, "str w0, [x1, x2]"},
      {0xf81fd020, "stur x0, [x1, #-3]"},
      {0x3d800020, "str q0, [x1]"},
      {0x3c226820, "str b0, [x1, x2]"},
      {0x3c9f0c20, "str q0, [x1, #-16]!"},
      {0xbd000020, "str s0, [x1]"},
      {0xa9000440, "stp x0, x1, [x2]"},
      {0xad010440, "stp q0, q1, [x2, #32]"},
      {0xac000440, "stnp q0, q1, [x2]"},
      {0x4c007000, "st1 {v0.16b}, [x0]"},
      {0x4c9fa000, "st1 {v0.16b, v1.16b}, [x0], #32"},
      {0x4c008800, "st2 {v0.4s, v1.4s}, [x0]"},
      {0x0d000c00, "st1 {v0.b}[3], [x0]"},
      {0xc8007c41, "stxr w0, x1, [x2]"},
      {0xc89ffc20, "stlr x0, [x1]"},
      {0xf8200041, "ldadd x0, x1, [x2]"},
      {0xb8e08041, "swpal w0, w1, [x2]"},
      {0xd50b7423, "dc zva, x3"},
      {0xe400e000, "st1b {z0.b}, p0, [x0]"},
      {0xe5e14000, "st1d {z0.d}, p0, [x0, x1, lsl #3]"},
      {0xe541e000, "st1w {z0.s}, p0, [x0, #1, mul vl]"},
      {0xe410e000, "stnt1b {z0.b}, p0, [x0]"},
      {0xe5804000, "str z0, [x0]"},
      {0xe5800000, "str p0, [x0]"},
      {0xe5418000, "st1w {z0.s}, p0, [x0, z1.s, uxtw]"},
  };
  for (const Encoding& each : stores)
    EXPECT_TRUE(is_aarch64_store(each.instruction)) << each.text;
}

TEST(StoreInstruction, IsNoneThatReadsOrOnlyComputes) {
  constexpr Encoding others[] = {
      {0xf9400020, "ldr x0, [x1]"},
      {0x39400c20, "ldrb w0, [x1, #3]"},
      {0x39800020, "ldrsb x0, [x1]"},
      {0xb8804420, "ldrsw x0, [x1], #4"},
      {0xb8626820, "ldr w0, [x1, x2]"},
      {0xf85fd020, "ldur x0, [x1, #-3]"},
      {0x3dc00020, "ldr q0, [x1]"},
      {0x3c626820, "ldr b0, [x1, x2]"},
      {0x3cdf0c20, "ldr q0, [x1, #-16]!"},
      {0xa9400440, "ldp x0, x1, [x2]"},
      {0x69400440, "ldpsw x0, x1, [x2]"},
      {0xad410440, "ldp q0, q1, [x2, #32]"},
      {0xac400440, "ldnp q0, q1, [x2]"},
      {0x58000000, "ldr x0, a4"},
      {0x4c407000, "ld1 {v0.16b}, [x0]"},
      {0x4d40c000, "ld1r {v0.16b}, [x0]"},
      {0x4c400800, "ld4 {v0.4s-v3.4s}, [x0]"},
      {0xc85f7c41, "ldxr x1, [x2]"},
      {0xc8dffc20, "ldar x0, [x1]"},
      {0xa400a000, "ld1b {z0.b}, p0/z, [x0]"},
      {0xa4002000, "ld1rqb {z0.b}, p0/z, [x0]"},
      {0x84408000, "ld1rb {z0.b}, p0/z, [x0]"},
      {0xa400e000, "ldnt1b {z0.b}, p0/z, [x0]"},
      {0x85804000, "ldr z0, [x0]"},
      {0x85014000, "ld1w {z0.s}, p0/z, [x0, z1.s, uxtw]"},
      {0xc5c1c000, "ld1d {z0.d}, p0/z, [x0, z1.d]"},
      {0x8b020020, "add x0, x1, x2"},
      {0xd65f03c0, "ret"},
  };
  for (const Encoding& each : others)
    EXPECT_FALSE(is_aarch64_store(each.instruction)) << each.text;
}

}  // namespace
}  // namespace certile::conformance
