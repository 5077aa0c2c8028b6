#include "conformance/waivers/waiver.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace certile::conformance {
namespace {

constexpr const char* of_a_clause =
    "OV-T1-X4 f16 elements \"ignores zero repeats\" owner: kernels link: https://example.org/1 until: "
    "2027-01-31";
constexpr const char* of_a_case =
    "'openvino-tile-1 f32[2] x i64{-1}' crash \"known\" owner: the team link: none until: 2027-02-28";

std::string waiver_error(const std::string& text) {
  const auto waivers = parse_waivers(text, "mine.waivers");
  return waivers ? "" : waivers.error().what;
}

TEST(Waivers, ReadCommentsEmptyLinesClausesAndCases) {
  const auto waivers = parse_waivers(
      std::string("# what may fail\n\n") + of_a_clause + "\n" + of_a_case + "\n", "mine.waivers");
  ASSERT_TRUE(waivers) << waivers.error().what;
  ASSERT_EQ(waivers->size(), 2U);
  EXPECT_EQ((*waivers)[0].clause, "OV-T1-X4");
  EXPECT_EQ((*waivers)[0].type, ElementType::f16);
  EXPECT_EQ((*waivers)[0].fault, Fault::elements);
  EXPECT_EQ((*waivers)[0].reason, "ignores zero repeats");
  EXPECT_EQ((*waivers)[1].literal, "openvino-tile-1 f32[2] x i64{-1}");
  EXPECT_EQ((*waivers)[1].owner, "the team");
  EXPECT_EQ((*waivers)[1].link, "none");
  EXPECT_EQ(date_text((*waivers)[1].until), "2027-02-28");
}

TEST(Waivers, AreWrittenAsTheyAreRead) {
  for (const char* line : {of_a_clause, of_a_case}) {
    const auto waivers = parse_waivers(line, "mine.waivers");
    ASSERT_TRUE(waivers) << waivers.error().what;
    EXPECT_EQ(to_string(waivers->front()), line);
  }
}

struct Mistake {
  const char* name;
  const char* text;
  const char* error;
};
void PrintTo(const Mistake& each, std::ostream* out) {
  *out << each.name;
}

class MistakenWaivers : public testing::TestWithParam<Mistake> {};

TEST_P(MistakenWaivers, AreNamedWithTheirLine) {
  EXPECT_EQ(waiver_error(GetParam().text), std::string("mine.waivers:") + GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Each, MistakenWaivers,
    testing::Values(
        Mistake{"no_clause", "\nX f16 elements \"r\"",
                "2: 'X' is neither a clause nor a literal between ' and '"},
        Mistake{"untestable", "OV-T1-X2 f16 elements \"r\"",
                "1: no failure is charged to OV-T1-X2: spells out OV-T1-G2, which is charged"},
        Mistake{"no_type", "OV-T1-X4 half elements \"r\"", "1: 'half' is not an element type"},
        Mistake{"no_fault", "OV-T1-X4 f16 wrong \"r\"", "1: 'wrong' is not a fault"},
        Mistake{"no_reason", "OV-T1-X4 f16 crash owner: me", "1: the reason, between \" and \", is missing"},
        Mistake{"no_owner", "OV-T1-X4 f16 crash \"r\" link: none", "1: owner: is missing"},
        Mistake{"no_link", "OV-T1-X4 f16 crash \"r\" owner: me", "1: link: (an address, or none) is missing"},
        Mistake{"no_date", "OV-T1-X4 f16 crash \"r\" owner: me link: none", "1: until: is missing"},
        Mistake{"to_fill_in", "OV-T1-X4 f16 crash \"r\" owner: ? link: ? until: 2027-01-01",
                "1: owner: must be filled in instead of the ?"},
        Mistake{"impossible_date", "OV-T1-X4 f16 crash \"r\" owner: me link: none until: 2027-02-29",
                "1: '2027-02-29' is not a date such as 2027-01-31"},
        Mistake{"other_spelling", "'openvino-tile-1 f32[1]{7} x i64{1}' crash \"r\"",
                "1: certile spells this case 'openvino-tile-1 f32{7} x i64{1}'"},
        Mistake{"open_literal", "'openvino-tile-1 f32[1] x i64{1} crash", "1: a literal ends with '"},
        Mistake{"twice",
                "OV-T1-X4 f16 crash \"r\" owner: me link: none until: 2027-01-01\n"
                "OV-T1-X4 f16 crash \"s\" owner: you link: none until: 2027-01-02",
                "2: an earlier line waives the same failure"}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace certile::conformance
