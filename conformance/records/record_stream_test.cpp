#include "conformance/records/record_stream.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>

#include "conformance/records/record_json.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "reference/values/definitions_test.hpp"

namespace certile::conformance {
namespace {

bool operator==(const Finding& left, const Finding& right) {
  return left.verdict == right.verdict && left.fault == right.fault && left.charged == right.charged &&
         left.words == right.words && left.reason == right.reason;
}

bool operator==(const Amendment& left, const Amendment& right) {
  return static_cast<const Finding&>(left) == right && left.by == right.by &&
         left.reproduce == right.reproduce;
}

bool operator==(const Record& left, const Record& right) {
  return left.literal == right.literal && left.backend == right.backend &&
         left.definition == right.definition && left.type == right.type && left.law == right.law &&
         static_cast<const Finding&>(left.judged) == right.judged &&
         left.judged.exercised == right.judged.exercised && left.judged.vacuous == right.judged.vacuous &&
         std::ranges::equal(left.amendments, right.amendments,
                            [](const Amendment& one, const Amendment& other) { return one == other; });
}

// Returns the text of a file with a header, the records and a footer.
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
  read.done = read_records(path, {[&read](const RunHeader& header) { read.headers.push_back(header); },
                                  [&read](const Record& record) { read.records.push_back(record); }});
  return read;
}

// Returns the error of reading `text`, without the file's name.
std::string reading_error(const std::string& text) {
  const Read result = read(text);
  if (result.done) return "no error";
  const std::string& what = result.done.error().what;
  return what.substr(what.find(".jsonl:") + 7);
}

std::vector<Record> two_records() {
  Record pass = example_pass("openvino-tile-1 string{\"a\\u0000b\"} x i64{0}", {"OV-T1-X4"});
  pass.judged.vacuous = true;
  pass.type = ElementType::string;
  Record failure = example_failure("onnx-tile-13 f32[2] x i64{2}", {"CT-STEADY", "CT-BITS"});
  failure.definition = onnx_tile_13;
  failure.judged.output = {"f32{1,2,0,1}", {2}};
  Amendment& again = failure.amendments.back();
  again.charged = "CT-STEADY";
  again.words = "two\nlines and a \"quote\" and an é, another line";
  again.reason = Reason::not_asked_again;
  again.reproduce = {"onnx-tile-13 f32[1] x i64{2}", "onnx-tile-13 f32[2] x i64{2}"};
  failure.annotate(Amendment::By::waiver, "its waiver has expired");
  return {pass, failure};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

// Removes the digest, for tests of the meaning of changed lines.
std::string without_digest(std::string text) {
  const std::size_t digest = text.rfind("\"sha256\":");
  return text.erase(digest, text.find(',', digest) + 1 - digest);
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

TEST(RecordStream, BytesThatAreNotUtf8AreSpelledAsReportsSpellThem) {
  std::string line;
  Record record = two_records()[1];
  record.judged.words = "\xff";
  append_record_line(line, record);
  EXPECT_NE(line.find(R"("explanation":"\\xff")"), std::string::npos) << line;
}

TEST(RecordStream, AMissingFooterSaysThatTheRunWasCutShort) {
  const std::string text = written(two_records());
  const Read result = read(text.substr(0, text.find("{\"footer\"")));
  ASSERT_FALSE(result.done);
  EXPECT_EQ(result.records.size(), 2U);  // the lines before the error have been passed on
  EXPECT_EQ(reading_error(text.substr(0, text.find("{\"footer\""))),
            "3: the file ends without a footer: this run was cut short");
}

TEST(RecordStream, BytesBehindTheLastNewlineAreALineThatWasCut) {
  const std::string text = written(two_records());
  for (const std::string& cut : {text.substr(0, text.size() - 5), text.substr(0, text.size() - 1)})
    EXPECT_EQ(reading_error(cut), "4: the line has no newline: the file was cut short");
  for (const std::string& more : {std::string("x"), std::string(1, '\0'), text.substr(0, 20)})
    EXPECT_EQ(reading_error(text + more), "5: the line has no newline: the file was cut short");
}

TEST(RecordStream, AHeaderBeforeTheFooterSaysThatTheRunWasCutShort) {
  const std::string text = written(two_records());
  const std::string header = text.substr(0, text.find('\n') + 1);
  EXPECT_EQ(reading_error(header + header), "2: the run before this header has no footer: it was cut short");
}

TEST(RecordStream, AFooterWithAnotherNumberOfRecordsIsAnError) {
  const std::string text = written(two_records());
  EXPECT_EQ(reading_error(replaced(text, "{\"footer\":{\"records\":2", "{\"footer\":{\"records\":3")),
            "4: the footer's counts are wrong: it counts 3 records, and the file has 2");
}

TEST(RecordStream, AFailureTurnedIntoAPassIsAnError) {
  const std::string text = written(two_records());
  EXPECT_EQ(reading_error(replaced(text, "\"by\":\"waiver\",\"verdict\":\"fail\"",
                                   "\"by\":\"waiver\",\"verdict\":\"pass\"")),
            "4: the footer's counts are wrong: it counts 1 with the verdict pass, and the file has 2");
}

TEST(RecordStream, ARecordThatWasTakenOutIsAnError) {
  const std::string text = written(two_records());
  const std::size_t record = text.find('\n') + 1;
  EXPECT_EQ(reading_error(text.substr(0, record) + text.substr(text.find('\n', record) + 1)),
            "3: the footer's counts are wrong: it counts 2 records, and the file has 1");
}

TEST(RecordStream, UnknownFieldsAreIgnored) {
  const std::string text = without_digest(written(two_records()));
  EXPECT_TRUE(read(replaced(text, "{\"backend\"", "{\"colour\":[1,{}],\"backend\"")).done);
}

TEST(RecordStream, AnotherFormatIsAnError) {
  EXPECT_EQ(reading_error(replaced(written(std::vector<Record>{}), "\"format\":2", "\"format\":3")),
            "1: the header is malformed: format 3 is unknown to this certile, which reads formats 1 and 2");
}

TEST(RecordStream, AHeaderWithAFieldThatIsWrongIsAnError) {
  const std::vector<std::array<const char*, 3>> all{
      {"\"tier\":\"core\"", "\"tier\":\"deep\"", "this certile knows no tier deep"},
      {"\"types\":[\"boolean\"", "\"types\":[\"f65\"", "this certile knows no types f65"},
      {"\"level\":\"full\"", "\"level\":\"half\"", "this certile knows no level half"},
      {"\"max_rank\":null", "\"max_rank\":-1", "a limit of the claim is below 1"},
      {"\"seed\":1", "\"seed\":-1", "[json.exception.type_error.302] -1 is not a whole number that fits"},
      {"\"seed\":1", "\"seed\":1.5", "[json.exception.type_error.302] 1.5 is not a whole number that fits"},
      {"\"cases\":[]", "\"cases\":1", "[json.exception.type_error.302] type must be array, but is number"},
      {"\"isolation\":[", "\"isolation\":[1,",
       "[json.exception.type_error.302] type must be string, but is number"},
      {"\"planned\":0,", "", "[json.exception.out_of_range.403] key 'planned' not found"},
      {"\"isolation\":", "\"shard\":{\"index\":3,\"of\":2,\"cases\":1,\"host\":\"h\"},\"isolation\":",
       "there is no such shard"},
  };
  const std::string text = written(std::vector<Record>{});
  for (const auto& [from, to, why] : all)
    EXPECT_EQ(reading_error(replaced(text, from, to)), std::string("1: the header is malformed: ") + why);
}

TEST(RecordStream, ReadsFormatOneWhoseRecordsHaveTheLastFindingAlone) {
  const Read result = read(
      R"({"header":{"format":1,"certile":"0.1.0","spelling":"mine","claim":{"name":"mine","version":"1",)"
      R"("operators":["onnx-tile-13"],"types":["f32"],"repeats_types":["i64"],"max_rank":null,)"
      R"("max_elements":null,"max_bytes":null,"infers":true,"in_process":false},"backend_sha256":"",)"
      R"("tier":"smoke","operators":["onnx-tile-13"],"seed":1,"random_cases":null,"requirements":[],)"
      R"("cases":[],"corpora":[],"level":"full","plan_sha256":"","planned":1,"filtered":false,)"
      R"("isolation":[]}})"
      "\n"
      R"({"backend":"mine","case":"onnx-tile-13 f32[2] x i64{2}","operator":"onnx-tile-13","type":"f32",)"
      R"("verdict":"fail","fault":"elements","exercised":["CT-BITS"],"violated":"CT-BITS",)"
      R"("explanation":"one","reproduce":["onnx-tile-13 f32[2] x i64{2}"]})"
      "\n"
      R"({"footer":{"records":1,"verdicts":{"pass":0,"fail":1,"unsupported":0,"waived":0,"stale-waiver":0,)"
      R"("inconclusive":0,"not-run":0},"vacuous":0,"conformance":"NOT CONFORMANT"}})"
      "\n");
  ASSERT_TRUE(result.done) << result.done.error().what;
  EXPECT_FALSE(result.headers[0].transport.shares_memory);
  EXPECT_EQ(result.records[0].now().words, "one");
  EXPECT_EQ(result.records[0].reproduce(), std::vector<std::string>{"onnx-tile-13 f32[2] x i64{2}"});
}

TEST(RecordStream, ALineThatIsNotJsonIsNamedByItsNumber) {
  const std::string text = written(two_records());
  const std::size_t record = text.find('\n') + 1;
  EXPECT_EQ(reading_error(text.substr(0, record) + "nonsense\n"), "2: not a JSON object");
}

TEST(RecordStream, AnEmptyFileIsNoFileOfRecords) {
  EXPECT_EQ(reading_error(""), "0: there is no header: this is not a file of records");
}

TEST(RecordStream, AnUnknownVerdictIsAnError) {
  const std::string text = replaced(written(two_records()), "\"verdict\":\"fail\"", "\"verdict\":\"good\"");
  EXPECT_EQ(reading_error(text), "3: a record has an unknown verdict, fault or reason");
}

TEST(RecordStream, ALineThatWasChangedIsAnErrorOfTheFooter) {
  EXPECT_EQ(reading_error(replaced(written(two_records()), "another line", "another word")),
            "4: the footer's SHA-256 is not that of the lines: a line was changed");
}

TEST(RecordStream, AClauseOfAnotherVersionIsKeptWhereTheHeaderListsIt) {
  std::string text = without_digest(written(two_records()));
  for (std::size_t at = text.find("CT-STEADY"); at != text.npos; at = text.find("CT-STEADY"))
    text.replace(at, 9, "CT-FUTURE");
  const Read result = read(text);
  ASSERT_TRUE(result.done) << result.done.error().what;
  EXPECT_EQ(result.records[1].judged.exercised.front(), "CT-FUTURE");
  EXPECT_EQ(result.headers[0].clause("CT-FUTURE")->kind, Clause::Kind::contract);
}

TEST(RecordStream, AClauseThatNobodyListsIsAnError) {
  EXPECT_EQ(reading_error(replaced(written(two_records()), "[\"CT-STEADY", "[\"CT-FUTURE")),
            "3: a record names the clause CT-FUTURE, which neither its header nor this certile has");
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
}  // namespace certile::conformance
