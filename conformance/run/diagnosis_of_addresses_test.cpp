// Tests what is said of crashes: what only an address decides, and what the signal says.
#include <gtest/gtest.h>

#include <string>

#include "conformance/run/runs_test.hpp"

namespace certile::conformance {
namespace {

// Returns the last finding on the only case, asked of a mutant.
Record record_of_mutant(const std::string& mutant, const std::string& operands) {
  const auto records =
      records_of(std::string(CERTILE_MUTANTS) + "/" + mutant + ".so", {"onnx-tile-13 " + operands});
  return records.empty() ? Record{} : records.front();
}

TEST(DiagnosisOfAddresses, ChargesThePlaceWithACrashThatAnAlignmentDecides) {
  for (const char* operands :
       {"f32[1] x i64{9}", "f32[1] x i64{9} @guard=after", "f32[1] x i64{9} @offset=20",
        "f32[1] x i64{9} @threads=2", "f32[1] x i64{8} @calls=1000"}) {
    const Record record = record_of_mutant("M456", operands);
    const Finding& found = record.now();
    EXPECT_EQ(found.fault, Fault::misplaced) << operands;
    EXPECT_EQ(found.charged, "CT-PLACE") << operands;
    EXPECT_EQ(found.words.substr(0, found.words.find('\n')),
              "it crashes only where the output begins at no multiple of 16")
        << operands;
    ASSERT_EQ(record.reproduce().size(), 1U) << operands;
    EXPECT_TRUE(record.reproduce().front().ends_with("@output=8")) << record.reproduce().front();
  }
}

TEST(DiagnosisOfAddresses, ChargesNoPlaceWithACrashAtEveryAddress) {
  const Finding found = record_of_mutant("M458", "f32[2] x i64{3}").now();
  EXPECT_EQ(found.charged, "CT-RETURN");
  EXPECT_NE(found.words.find("(SIGFPE): an integer was divided by zero"), std::string::npos) << found.words;
}

TEST(DiagnosisOfAddresses, SaysWhatAnAddressSays) {
  const Finding found = record_of_mutant("M460", "f32[2] x i64{3}").now();
  EXPECT_EQ(found.charged, "CT-RETURN");
  EXPECT_NE(found.words.find("the address is that of the data and a multiple of 2^32 bytes"),
            std::string::npos)
      << found.words;
}

}  // namespace
}  // namespace certile::conformance
