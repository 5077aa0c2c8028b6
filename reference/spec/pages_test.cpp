#include "reference/spec/pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reference/oracle/promote.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/values/definitions_test.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile {
namespace {

std::vector<std::string> ids_of(const Page& page, std::string_view prefix) {
  std::vector<std::string> ids;
  for (const Clause& clause : page.clauses) {
    EXPECT_TRUE(clause.id.starts_with(prefix)) << clause.id;
    ids.push_back(clause.id.substr(prefix.size()));
  }
  return ids;
}

using Ids = std::vector<std::string>;
const Ids openvino_ids = {"G1", "G2", "R1", "R1e", "R2", "R2e", "A1",  "I1",  "I2",  "I2e", "I3", "O1",
                          "O2", "T1", "T2", "D1",  "D2", "E1",  "E2",  "E3",  "X1",  "X2",  "X3", "X4",
                          "X5", "X6", "X7", "X8",  "X9", "X10", "X11", "X12", "X13", "X14"};
const Ids onnx_13_ids = {"G1", "S1", "S2", "S3", "S4", "I1", "I2", "I3", "I4", "O1", "O2", "T1",
                         "T2", "U1", "E1", "E2", "V1", "X1", "X2", "X3", "X4", "X5", "X6", "X7"};
const Ids onnx_1_ids = {"G1", "S1", "I1", "I2", "I3", "O1", "T1", "T2", "V1",
                        "X1", "X2", "X3", "X4", "X5", "X6", "X7", "X8"};
const Ids contract_ids = {"BITS",    "WRITE", "BOUNDS", "STATE",  "INPUT", "ALIAS", "STEADY", "PLACE",
                          "THREADS", "LEAK",  "RETURN", "REFUSE", "INFER", "CLAIM", "SELF"};

TEST(SpecPages, HaveEveryClauseInItsOrder) {
  EXPECT_EQ(ids_of(page_of(openvino_tile_1), "OV-T1-"), openvino_ids);
  EXPECT_EQ(ids_of(page_of(onnx_tile_13), "ONNX-T13-"), onnx_13_ids);
  EXPECT_EQ(ids_of(page_of(onnx_tile_6), "ONNX-T6-"), onnx_13_ids);
  EXPECT_EQ(ids_of(page_of(onnx_tile_1), "ONNX-T1-"), onnx_1_ids);
  EXPECT_EQ(ids_of(contract_page(), "CT-"), contract_ids);
}

TEST(SpecPages, ComeInTheOrderOfReports) {
  std::vector<std::string> names;
  for (const Page& page : all_pages())
    names.push_back(page.name);
  Ids wanted;
  for (const DefinitionId definition : all_definitions())
    wanted.emplace_back(name(definition));
  wanted.emplace_back("contract");
  EXPECT_EQ(names, wanted);
}

TEST(SpecPages, NameTheTextsThatTheyQuote) {
  const std::set<std::string> licences{"Apache-2.0", "MIT"};
  for (const Page& page : all_pages()) {
    EXPECT_EQ(page.texts.empty(), page.name == "contract") << page.name;
    for (const PublishedText& text : page.texts) {
      EXPECT_TRUE(text.address.starts_with("https://")) << text.address;
      EXPECT_EQ(licences.count(text.licence), 1U) << text.licence;
    }
  }
  Ids titles;
  for (const PublishedText& text : page_of(onnx_tile_6).texts)
    titles.push_back(text.title);
  EXPECT_EQ(titles, (Ids{"Tile - 6", "Tile - 13", "ONNX IR"}));
}

TEST(SpecPages, GiveNoIdTwice) {
  std::set<std::string> ids;
  for (const Page& page : all_pages())
    for (const Clause& clause : page.clauses)
      EXPECT_TRUE(ids.insert(clause.id).second);
}

TEST(SpecPages, SayWhichClausesCannotBeTested) {
  Ids untestable;
  for (const Page& page : all_pages())
    for (const Clause& clause : page.clauses)
      if (!clause.testable) untestable.push_back(clause.id + " " + clause.untestable_because);
  const std::string pure_copy = " another name of CT-BITS, CT-INPUT and CT-ALIAS";
  EXPECT_EQ(untestable, (Ids{"OV-T1-G1 nothing to run",
                             "OV-T1-A1 nothing to run",
                             "OV-T1-I3 a call without one of them cannot be written",
                             "OV-T1-D1 defective text",
                             "OV-T1-D2 defective text",
                             "OV-T1-X1 spells out OV-T1-G2, OV-T1-R1 and OV-T1-R2, which are charged",
                             "OV-T1-X2 spells out OV-T1-G2, which is charged",
                             "OV-T1-X8" + pure_copy,
                             "OV-T1-X10 shapes are always known here",
                             "ONNX-T13-G1 nothing to run",
                             "ONNX-T13-U1 binds the caller",
                             "ONNX-T13-V1 nothing to run",
                             "ONNX-T13-X5" + pure_copy,
                             "ONNX-T6-G1 nothing to run",
                             "ONNX-T6-U1 binds the caller",
                             "ONNX-T6-V1 nothing to run",
                             "ONNX-T6-X5" + pure_copy,
                             "ONNX-T1-G1 nothing to run",
                             "ONNX-T1-V1 nothing to run",
                             "AA-TILE-T3 leaves it open"}));
}

TEST(SpecPages, MarkAsOursWhatNoTextSays) {
  using Kind = Clause::Kind;
  // These clauses have unusual kinds: a second source makes scalars normative, Tile-6 has no example, and a
  // sentence of Tile-1 contradicts two others.
  const Ids elsewhere{"ONNX-T13-X1", "ONNX-T6-X1", "ONNX-T6-E1", "ONNX-T6-E2", "ONNX-T1-T2"};
  for (const Page& page : all_pages())
    for (const Clause& clause : page.clauses) {
      const bool is_extra = clause.id.find("-X") != std::string::npos;
      const bool is_exception = std::ranges::find(elsewhere, clause.id) != elsewhere.end();
      const bool is_beside_text = clause.kind == Kind::ours || clause.kind == Kind::exclusion;
      EXPECT_EQ(is_beside_text, is_extra != is_exception) << clause.id;
      EXPECT_EQ(clause.kind == Kind::contract, page.name == "contract") << clause.id;
    }
}

TEST(SpecPages, HaveOneExclusionWhereTheTextLeavesTypesOut) {
  Ids exclusions;
  for (const Page& page : all_pages())
    for (const Clause& clause : page.clauses)
      if (clause.kind == Clause::Kind::exclusion) exclusions.push_back(clause.id);
  EXPECT_EQ(exclusions, (Ids{"OV-T1-X11", "ONNX-T13-X7", "ONNX-T6-X7", "ONNX-T1-X8"}));
}

TEST(SpecPages, LeaveOursAndExclusionsOutOfTheText) {
  using Kind = Clause::Kind;
  EXPECT_TRUE(counts_at_text(Kind::normative));
  EXPECT_TRUE(counts_at_text(Kind::example));
  EXPECT_TRUE(counts_at_text(Kind::contract));
  EXPECT_FALSE(counts_at_text(Kind::ours));
  EXPECT_FALSE(counts_at_text(Kind::exclusion));
}

// Every example on a definition's page is a case of that definition.
TEST(SpecPages, AskTheirOwnOperatorInEveryExample) {
  for (const DefinitionId definition : all_definitions())
    for (const Clause& clause : page_of(definition).clauses)
      for (const std::string& example : clause.examples)
        EXPECT_TRUE(example.starts_with(std::string(name(definition)) + " ")) << example;
}

std::string oracle_says(const CorpusLine& line) {
  const Case& question = line.question;
  const oracle::Ruling ruling = oracle::promote(question);
  if (const auto* refusal = std::get_if<oracle::Refusal>(&ruling))
    return "reject # " + std::string(text_of(refusal->clause));
  if (const auto* open = std::get_if<oracle::Open>(&ruling))
    return "unspecified # " + std::string(text_of(open->clause));
  const bool spelled_out = line.tensor && !line.tensor->bytes().empty();
  if (!spelled_out) return shape_to_string(question.data.type(), oracle::promoted(ruling)->output);
  const auto answer = oracle::tile(question, data_of(question));
  return answer ? to_string(*answer) : answer.error().what;
}

std::string example_says(const CorpusLine& line) {
  if (line.expects == CorpusLine::Expects::reject) return "reject # " + line.words;
  if (line.expects == CorpusLine::Expects::unspecified) return "unspecified # " + line.words;
  return to_string(*line.tensor);
}

TEST(SpecPages, ExpectInTheirExamplesWhatTheOracleAnswers) {
  for (const Page& page : all_pages())
    for (const Clause& clause : page.clauses)
      for (const std::string& example : clause.examples) {
        const auto line = parse_corpus_line(example);
        ASSERT_TRUE(line) << example << ": " << line.error().what;
        if (line->expects == CorpusLine::Expects::whatever_the_oracle_says) continue;
        EXPECT_EQ(example_says(*line), oracle_says(*line)) << clause.id << ": " << example;
      }
}

TEST(SpecPages, SpellTheirExamplesCanonically) {
  for (const Page& page : all_pages())
    for (const Clause& clause : page.clauses)
      for (const std::string& example : clause.examples) {
        const auto line = parse_corpus_line(example);
        ASSERT_TRUE(line) << example;
        EXPECT_EQ(to_string(line->question), example.substr(0, to_string(line->question).size()));
      }
}

TEST(FindRequirement, FindsClausesOfEveryPage) {
  EXPECT_EQ(find_clause("OV-T1-R1")->name, "promote-data");
  EXPECT_EQ(find_clause("CT-BITS")->kind, Clause::Kind::contract);
  EXPECT_EQ(find_clause("OV-T1-R9"), nullptr);
}

const std::string clause =
    "## AB-C1 a-name\nkind: ours\ntestable: yes\nsource: a page,\n a section\n\nOur words.\n\n    a line => "
    "b\n";

TEST(ParseSpecPage, ReadsEveryPartOfAClause) {
  const auto page =
      parse_page("a-page", "# Title\n\nProse.\n\n" + clause + "\n# Notes\n\n    not an example\n");
  ASSERT_TRUE(page) << page.error().what;
  ASSERT_EQ(page->clauses.size(), 1U);
  const Clause& read = page->clauses[0];
  EXPECT_EQ(page->name, "a-page");
  EXPECT_EQ(read.id, "AB-C1");
  EXPECT_EQ(read.name, "a-name");
  EXPECT_EQ(read.kind, Clause::Kind::ours);
  EXPECT_TRUE(read.testable);
  EXPECT_EQ(read.source, "a page, a section");
  EXPECT_EQ(read.text, "Our words.");
  EXPECT_EQ(read.examples, Ids{"a line => b"});
}

std::string complaint(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  const auto page = parse_page("a-page", text);
  if (page) return "none";
  EXPECT_EQ(page.error().code, Error::Code::bad_literal);
  return page.error().what;
}

TEST(ParseSpecPage, NamesTheLineThatIsWrong) {
  EXPECT_EQ(complaint(clause, "AB-C1", "ab-c1"), "a-page, line 1: 'ab-c1' is not an id");
  EXPECT_EQ(complaint(clause, "a-name", "A name"),
            "a-page, line 1: 'A name' is not a name in small letters, digits and dashes");
  EXPECT_EQ(complaint(clause, " a-name", ""), "a-page, line 1: a clause's heading is its id and its name");
  EXPECT_EQ(complaint(clause, "ours", "mine"),
            "a-page, line 2: expected 'kind:' and one of normative, example, informative, ours, exclusion, "
            "contract");
  EXPECT_EQ(complaint(clause, "yes", "no"),
            "a-page, line 3: expected 'testable:' and 'yes' or 'no (reason)'");
  EXPECT_EQ(complaint(clause, "source", "sauce"),
            "a-page, line 4: expected 'source:' and the place that the clause comes from");
}

const std::string sha256_digits(64, 'a');
const std::string page_head = "# Title\n\ntext: A page, https://a.page/,\n  3.1, Apache-2.0, sha256 " +
                              sha256_digits + ", sources/a.md\n\n" + clause;

TEST(ParseSpecPage, ReadsTheTextsOfAPageAndNoneBehindItsFirstClause) {
  const auto page = parse_page("a-page", page_head + "\ntext: of ours\n");
  ASSERT_TRUE(page) << page.error().what;
  ASSERT_EQ(page->texts.size(), 1U);
  const PublishedText& read = page->texts[0];
  EXPECT_EQ(read.title, "A page");
  EXPECT_EQ(read.address, "https://a.page/");
  EXPECT_EQ(read.version, "3.1");
  EXPECT_EQ(read.licence, "Apache-2.0");
  EXPECT_EQ(read.sha256, sha256_digits);
  EXPECT_EQ(read.file, "sources/a.md");
  EXPECT_EQ(page->clauses.size(), 1U);
}

TEST(ParseSpecPage, NamesTheLineOfATextThatIsWrong) {
  const std::string wrong =
      "a-page, line 3: 'text:' is followed by title, address, version, licence, sha256 with its 64 "
      "hexadecimal digits, and sources/FILE, with ', ' between them";
  EXPECT_EQ(complaint(page_head, " A page,", ""), wrong);
  EXPECT_EQ(complaint(page_head, "A page,", ","), wrong);
  EXPECT_EQ(complaint(page_head, "3.1,", "3.1, 2026,"), wrong);
  EXPECT_EQ(complaint(page_head, "sha256 ", ""), wrong);
  EXPECT_EQ(complaint(page_head, "sha256 a", "sha256 "), wrong);
  EXPECT_EQ(complaint(page_head, "sha256 a", "sha256 A"), wrong);
  EXPECT_EQ(complaint(page_head, "sources/", "/"), wrong);
  const std::string once = page_head.substr(9, page_head.find(clause) - 10);
  EXPECT_EQ(complaint(page_head, once, once + once), "a-page, line 5: the text 'A page' is named twice");
}

TEST(ParseSpecPage, RefusesAClauseWithoutWordsOrExamples) {
  EXPECT_EQ(complaint(clause, "Our words.", ""), "a-page, line 10: AB-C1 has no words of ours");
  EXPECT_EQ(complaint(clause, "    a line", "a line"),
            "a-page, line 10: AB-C1 is testable and has no example");
}

TEST(ParseSpecPage, RefusesTheSameIdAgainAndAPageWithoutClauses) {
  EXPECT_EQ(complaint(clause + clause, "Our", "Our"), "a-page, line 10: the id AB-C1 is given twice");
  EXPECT_EQ(parse_page("a-page", "# Title\n").error().what,
            "a-page, line 2: there is no clause on this page");
}

}  // namespace
}  // namespace certile
