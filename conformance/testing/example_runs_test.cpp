#include "conformance/testing/example_runs_test.hpp"
#include "reference/values/definitions_test.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

namespace certile::conformance {
namespace {

// A listener that removes a test's folder when the test ends, whether it passed or not.
class Remover : public testing::EmptyTestEventListener {
 public:
  void make(const std::string& folder) {
    folder_ = folder;
    std::filesystem::create_directory(folder_);
  }

 private:
  void OnTestEnd(const testing::TestInfo&) override {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
    folder_.clear();
  }

  std::string folder_;
};

void make_folder_of_test(const std::string& folder) {
  static Remover* const remover = [] {
    auto* added = new Remover;
    testing::UnitTest::GetInstance()->listeners().Append(added);  // who owns it from now on
    return added;
  }();
  remover->make(folder);
}

}  // namespace

RunHeader example_header(std::int64_t planned) {
  RunHeader header;
  header.certile_version = "0.1.0";
  header.spelling = "./libmine.so";
  header.claim.name = "mine";
  header.claim.version = "1";
  header.claim.definitions = {openvino_tile_1};
  header.claim.types = TypeSet::all();
  header.claim.repeats_types = header.claim.types;
  header.backend_digest = std::string(64, 'a');
  header.plan_digest = std::string(64, 'b');
  header.planned = planned;
  header.isolation = {"own process", "address space limited to 4 GiB"};
  header.list_pages();
  return header;
}

Record example_pass(std::string literal, std::vector<std::string_view> exercised) {
  Record record;
  record.literal = std::move(literal);
  record.backend = "mine";
  record.judged.exercised = std::move(exercised);
  record.judged.verdict = Verdict::pass;
  return record;
}

Record example_failure(std::string literal, std::vector<std::string_view> exercised) {
  Record record = example_pass(std::move(literal), std::move(exercised));
  Finding& found = record.judged;
  found.verdict = Verdict::fail;
  found.fault = Fault::elements;
  found.charged = record.judged.exercised.front();
  found.words = "element [3,5] is 0x40a00000 (5), expected 0x40c00000 (6); 1 of 24 differs";
  record.amendments.push_back({found, Amendment::By::diagnosis, {record.literal}});
  return record;
}

Summary conformant_summary() {
  Summary summary(example_header(1));
  Record record = example_pass("openvino-tile-1 f32[2,3] x i64{2,2}", {});
  for (const Clause* clause : summary.clauses()) {
    if (clause->testable) record.judged.exercised.push_back(clause->id);
  }
  summary.add(record);
  return summary;
}

Summary failing_summary() {
  Summary summary(example_header(2));
  summary.add(example_pass("openvino-tile-1 f32[2] x i64{2}", {"OV-T1-G2", "CT-WRITE"}));
  summary.add(example_failure("openvino-tile-1 f32[2,3] x i64{2,2}", {"OV-T1-X4", "CT-BITS"}));
  return summary;
}

std::string temporary_path(const std::string& suffix) {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test.test_suite_name()) + "_" + test.name() + "_" + std::to_string(getpid());
  std::replace(name.begin(), name.end(), '/', '_');  // of tests with parameters
  const std::string folder = testing::TempDir() + name;
  make_folder_of_test(folder);
  return folder + "/file" + suffix;
}

std::string written_file(const std::string& suffix, const std::string& content) {
  const std::string path = temporary_path(suffix);
  std::ofstream(path) << content;
  return path;
}

std::string file_content(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

}  // namespace certile::conformance
