// Tests what is said of failures that depend on files.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/ask/sandbox/private_folder.hpp"
#include "conformance/run/runs_test.hpp"

namespace certile::conformance {
namespace {

// Returns the last record of calls of which the first wrote a file.
Record record_beside_file(const std::string& folder, const std::vector<std::string>& literals) {
  RunOptions options = run_options(std::string(CERTILE_MUTANTS) + "/M462.so");
  options.isolate.environment = {"TMPDIR=" + folder};
  const auto records = records_of(plan_of(literals), options);
  return records.empty() ? Record{} : records.back();
}

TEST(DiagnosisOfFiles, ChargesWhatDependsOnAFileOfEarlierCalls) {
  const auto folder = PrivateFolder::create();
  ASSERT_TRUE(folder);
  const Record record = record_beside_file(
      (*folder)->path(), {"onnx-tile-13 f32[2,3] x i64{1,2}", "onnx-tile-13 f32[3,2] x i64{2,2}"});
  const Finding& found = record.now();
  EXPECT_EQ(found.fault, Fault::unsteady);
  EXPECT_EQ(found.charged, "CT-STEADY");
  EXPECT_EQ(found.words.substr(0, found.words.find('\n')),
            "it depends on files that earlier calls wrote: $TMPDIR/certile-first-call");
  EXPECT_TRUE(record.reproduce().empty());
  EXPECT_TRUE(std::filesystem::exists((*folder)->path() + "/certile-first-call"));
}

TEST(DiagnosisOfFiles, ChargesNoFilesWithAFailureThatNeedsNone) {
  const auto records =
      records_of(std::string(CERTILE_MUTANTS) + "/M458.so", {"onnx-tile-13 f32[2] x i64{3}"});
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records.front().now().charged, "CT-RETURN");
}

}  // namespace
}  // namespace certile::conformance
