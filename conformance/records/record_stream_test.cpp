#include "conformance/records/record_stream.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "conformance/records/record_json.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "reference/values/definitions_test.hpp"

namespace certile {
namespace {

bool operator==(const Record& left, const Record& right) {
  return left.case_literal == right.case_literal && left.backend == right.backend &&
         left.definition == right.definition && left.type == right.type &&
         left.exercised == right.exercised && left.violated == right.violated &&
         left.verdict == right.verdict && left.fault == right.fault && left.vacuous == right.vacuous &&
         left.explanation == right.explanation && left.reproduce == right.reproduce;
}

// Header, the records, footer.
std::string written(const std::vector<Record>& records) {
  const std::string path = temporary_path(".jsonl");
  auto writer = RecordWriter::open(path);
  const RunHeader header = example_header(static_cast<std::int64_t>(records.size()));
  Summary summary(header);
  EXPECT_TRUE((*writer)->header(header));
  for (const Record& record : records) {
    EXPECT_TRUE((*writer)->record(record));
    summary.add(record);
  }
  EXPECT_TRUE((*writer)->footer(summary));
  return file_content(path);
}

struct Read {
  Result<Done> done = Done{};
  std::vector<RunHeader> headers;
  std::vector<Record> records;
};

Read read(const std::string& text) {
  const std::string path = temporary_path(".read.jsonl");
  std::ofstream(path) << text;
  Read read;
  read.done = read_records(
      path, [&read](const RunHeader& header) { read.headers.push_back(header); },
      [&read](const Record& record) { read.records.push_back(record); });
  return read;
}

// The error of reading `text`, without the file's name.
std::string error_of(const std::string& text) {
  const Read result = read(text);
  if (result.done) return "no error";
  const std::string& what = result.done.error().what;
  return what.substr(what.find(".jsonl:") + 7);
}

std::vector<Record> two_records() {
  Record pass = example_pass("openvino-tile-1 string{\"a\\u0000b\"} x i64{0}", {"OV-T1-X4"});
  pass.vacuous = true;
  pass.type = ElementType::string;
  Record failure = example_failure("onnx-tile-13 f32[2] x i64{2}", {"CT-STEADY", "CT-BITS"});
  failure.definition = onnx_tile_13;
  failure.reproduce = {"onnx-tile-13 f32[1] x i64{2}", "onnx-tile-13 f32[2] x i64{2}"};
  failure.explanation = "two\nlines and a \"quote\" and an é";
  return {pass, failure};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(RecordStream, ReadsBackWhatItWrote) {
  const std::vector<Record> records = two_records();
  const Read result = read(written(records));
  ASSERT_TRUE(result.done) << result.done.error().what;
  ASSERT_EQ(result.records.size(), 2U);
  EXPECT_TRUE(result.records[0] == records[0]);
  EXPECT_TRUE(result.records[1] == records[1]);
}

TEST(RecordStream, ReadsBackTheHeader) {
  RunHeader header = example_header(0);
  header.claim.max_rank = 4;
  header.claim.infers = false;
  header.options.random_cases = 7;
  header.options.clauses = {"OV-T1-X4"};
  header.level = Level::text;
  header.filtered = true;
  const Result<RunHeader> again = header_from_json(header_to_json(header));
  ASSERT_TRUE(again) << again.error().what;
  EXPECT_EQ(dumped(header_to_json(*again)), dumped(header_to_json(header)));
  EXPECT_TRUE(again->claim == header.claim);
}

TEST(RecordStream, WritesAPassOnOneLine) {
  std::string line;
  append_record_line(line, two_records()[0]);
  EXPECT_EQ(line, R"({"backend":"mine","case":"openvino-tile-1 string{\"a\\u0000b\"} x i64{0}",)"
                  R"("operator":"openvino-tile-1","type":"string","verdict":"pass","vacuous":true,)"
                  R"("exercised":["OV-T1-X4"]})"
                  "\n");
}

TEST(RecordStream, ReadsSeveralRunsOfOneFile) {
  const std::string run = written(two_records());
  const Read result = read(run + run);
  ASSERT_TRUE(result.done) << result.done.error().what;
  EXPECT_EQ(result.headers.size(), 2U);
  EXPECT_EQ(result.records.size(), 4U);
}

TEST(RecordStream, BytesThatAreNotUtf8AreReplaced) {
  std::string line;
  Record record = two_records()[1];
  record.explanation = "\xff";
  append_record_line(line, record);
  EXPECT_NE(line.find("\"explanation\":\"\xef\xbf\xbd\""), std::string::npos) << line;
}

TEST(RecordStream, AMissingFooterSaysThatTheRunWasCutShort) {
  const std::string text = written(two_records());
  const Read result = read(text.substr(0, text.find("{\"footer\"")));
  ASSERT_FALSE(result.done);
  EXPECT_EQ(result.records.size(), 2U);  // what was read until then has been handed on
  EXPECT_EQ(error_of(text.substr(0, text.find("{\"footer\""))),
            "3: the file ends without a footer: this run was cut short");
}

TEST(RecordStream, ALastLineCutInTheMiddleIsAMissingFooter) {
  const std::string text = written(two_records());
  EXPECT_EQ(error_of(text.substr(0, text.size() - 5)),
            "4: the file ends without a footer: this run was cut short");
}

TEST(RecordStream, AHeaderBeforeTheFooterSaysThatTheRunWasCutShort) {
  const std::string text = written(two_records());
  const std::string header = text.substr(0, text.find('\n') + 1);
  EXPECT_EQ(error_of(header + header),
            "2: a header before the footer of the run before: that run was cut short");
}

TEST(RecordStream, AFooterWithAnotherNumberOfRecordsIsAnError) {
  const std::string text = written(two_records());
  EXPECT_EQ(error_of(replaced(text, "{\"footer\":{\"records\":2", "{\"footer\":{\"records\":3")),
            "4: the footer counts other records than there are: 3 against 2, or other verdicts among them");
}

TEST(RecordStream, AFailureTurnedIntoAPassIsAnError) {
  const std::string text = written(two_records());
  EXPECT_EQ(error_of(replaced(text, "\"verdict\":\"fail\"", "\"verdict\":\"pass\"")),
            "4: the footer counts other records than there are: 2 against 2, or other verdicts among them");
}

TEST(RecordStream, ARecordThatWasTakenOutIsAnError) {
  const std::string text = written(two_records());
  const std::size_t record = text.find('\n') + 1;
  EXPECT_EQ(error_of(text.substr(0, record) + text.substr(text.find('\n', record) + 1)),
            "3: the footer counts other records than there are: 2 against 1, or other verdicts among them");
}

TEST(RecordStream, UnknownFieldsAreIgnored) {
  const std::string text = replaced(written(two_records()), "{\"backend\"", "{\"colour\":[1,{}],\"backend\"");
  EXPECT_TRUE(read(text).done);
}

TEST(RecordStream, AnotherFormatIsAnError) {
  EXPECT_EQ(error_of(replaced(written({}), "\"format\":1", "\"format\":2")),
            "1: the header is malformed: format 2 is not one that this certile reads; it reads format 1");
}

TEST(RecordStream, ALineThatIsNotJsonIsNamedByItsNumber) {
  const std::string text = written(two_records());
  const std::size_t record = text.find('\n') + 1;
  EXPECT_EQ(error_of(text.substr(0, record) + "nonsense\n"), "2: not a JSON object");
}

TEST(RecordStream, AnEmptyFileIsNoFileOfRecords) {
  EXPECT_EQ(error_of(""), "0: there is no header: this is not a file of records");
}

TEST(RecordStream, AnUnknownVerdictIsAnError) {
  const std::string text = replaced(written(two_records()), "\"verdict\":\"fail\"", "\"verdict\":\"good\"");
  EXPECT_EQ(error_of(text), "3: a record's operator, type, verdict or fault is not one that certile knows");
}

TEST(RecordStream, AClauseOfAnotherVersionIsKept) {
  const std::string text = replaced(written(two_records()), "CT-STEADY", "CT-FUTURE");
  const Read result = read(text);
  ASSERT_TRUE(result.done) << result.done.error().what;
  EXPECT_EQ(result.records[1].exercised.front(), "CT-FUTURE");
}

TEST(RecordStream, AFileThatCannotBeOpenedIsNamed) {
  const auto writer = RecordWriter::open("/no/such/directory/records.jsonl");
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, Error::Code::io);
  EXPECT_EQ(writer.error().what, "cannot write /no/such/directory/records.jsonl: No such file or directory");
}

TEST(RecordStream, AFullDiskIsAnErrorOfTheWrite) {
  auto writer = RecordWriter::open("/dev/full");
  ASSERT_TRUE(writer);
  const Result<Done> done = (*writer)->header(example_header(0));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what, "cannot write /dev/full: No space left on device");
}

TEST(RecordStream, AnAbandonedRunKeepsItsRecords) {
  const std::string path = temporary_path(".jsonl");
  auto writer = RecordWriter::open(path);
  ASSERT_TRUE((*writer)->record(two_records()[0]));
  writer->reset();
  EXPECT_NE(file_content(path).find("\"verdict\":\"pass\""), std::string::npos);
}

}  // namespace
}  // namespace certile
