// Tests that every id and word in any report can be asked.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 warns of std::regex when it instruments it
#endif
#include "conformance/explain/explanation.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "conformance/laws/laws.hpp"
#include "conformance/report/report.hpp"
#include "conformance/testing/example_runs_test.hpp"
#include "reference/spec/pages.hpp"

namespace certile::conformance {
namespace {

constexpr std::size_t text_width = 100;

void expect_explained(std::string_view word) {
  const auto text = explanation_of(word, text_width);
  EXPECT_TRUE(text) << text.error().what;
}

TEST(Explanation, ShowsTextKindSourceAndExamplesOfEachClause) {
  for (const Page& page : all_pages())
    for (const Clause& clause : page.clauses) {
      const auto text = explanation_of(clause.id, 1'000'000);
      ASSERT_TRUE(text) << text.error().what;
      std::istringstream words(clause.text);
      EXPECT_TRUE(text->starts_with(clause.id + " " + clause.name)) << *text;
      EXPECT_NE(text->find(std::string(name(clause.kind)) + ": "), std::string::npos) << *text;
      EXPECT_NE(text->find(clause.source), std::string::npos) << *text;
      for (std::string line; std::getline(words, line);)
        EXPECT_NE(text->find(line), std::string::npos) << *text;
      for (const std::string& example : clause.examples)
        EXPECT_NE(text->find(example), std::string::npos) << *text;
      expect_explained(clause.name);
    }
}

TEST(Explanation, HasEveryWordOfTheEnumerations) {
  for (int fault = 0; fault <= static_cast<int>(Fault::failed); ++fault)
    expect_explained(name(static_cast<Fault>(fault)));
  for (int verdict = 0; verdict < verdict_count; ++verdict)
    expect_explained(name(static_cast<Verdict>(verdict)));
  for (int author = 0; author < author_count; ++author)
    expect_explained(name(static_cast<Amendment::By>(author)));
  for (int kind = 0; kind <= static_cast<int>(Clause::Kind::contract); ++kind)
    expect_explained(name(static_cast<Clause::Kind>(kind)));
  for (const Tier tier : {Tier::smoke, Tier::core, Tier::full, Tier::large})
    expect_explained(name(tier));
  for (const Level level : {Level::full, Level::text})
    expect_explained(name(level));
  for (const ElementType type : all_element_types())
    expect_explained(name(type));
  for (const DefinitionId definition : all_definitions())
    expect_explained(name(definition));
  for (const Law& law : all_laws())
    expect_explained(law.name);
}

// Returns the words of a report that have a special sense: the labels of lines and columns, what is counted,
// the states of clauses, and the verdict.
std::set<std::string> words_of_art(const std::string& report) {
  static const std::regex patterns[] = {
      std::regex("\n  ([a-z][a-z ]*?)  +[^ ]"),                                // labels of lines
      std::regex("[0-9] ([a-z][a-z ]{0,30}?)(?=  | \\(|\\)|\n)"),              // what is counted
      std::regex("(?:\n|  )(clause|kind|verdict|plainest failure)(?=  |\n)"),  // columns
      std::regex("  (tier|level|seed) "),
      std::regex("  (proven|VIOLATED|in doubt|waived|not exercised|text defective|not testable)"),
      std::regex("((?:NOT )?CONFORMANT|INCOMPLETE|PARTIAL|NOTHING RUN)")};
  std::set<std::string> words;
  for (const std::regex& pattern : patterns)
    for (std::sregex_iterator found(report.begin(), report.end(), pattern), end; found != end; ++found)
      words.insert((*found)[1]);
  for (const char* prose : {"clauses proven", "failures", "failure", "case", "cases", "of", "differs", "more",
                            "planned cases were run"})
    words.erase(prose);
  return words;
}

TEST(Explanation, HasEveryWordOfTheReports) {
  std::set<std::string> words;
  for (const Summary& summary : {conformant_summary(), failing_summary()})
    for (const Detail detail : {Detail::brief, Detail::whole}) {
      std::ostringstream report;
      write_text_report(report, summary, {.detail = detail});
      words.merge(words_of_art(report.str()));
    }
  for (const char* word :
       {"vacuous", "binary", "isolation", "limits", "clause", "VIOLATED", "NOT CONFORMANT", "waived"})
    EXPECT_TRUE(words.contains(word)) << word;
  for (const std::string& word : words)
    expect_explained(word);
}

TEST(Explanation, TakesTheWordAsAReportPrintsIt) {
  for (const char* word : {"[CT-WRITE", "ct-write", "'vacuous'", "not conformant",
                           "VIOLATED:", "CONFORMANT (full)", "@guard=after", "@calls=1000", "block"})
    expect_explained(word);
}

TEST(Explanation, GivesEachMeaningOfAWord) {
  const auto text = explanation_of("claim", text_width);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("(Faults)"), std::string::npos) << *text;
  EXPECT_NE(text->find("(Words of a report)"), std::string::npos) << *text;
}

TEST(Explanation, SuggestsAWordForAnUnknownOne) {
  const auto unknown = explanation_of("vacous", text_width);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().what.find("did you mean vacuous?"), std::string::npos) << unknown.error().what;
  const auto nothing = explanation_of("\033[2J", text_width);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().what.find('\033'), std::string::npos);
}

TEST(Explanation, ListsEveryWord) {
  const std::string all = all_explained_words(text_width);
  for (const char* word :
       {"left-unwritten", "NOT CONFORMANT", "CT-WRITE", "onnx-tile-13", "f8e4m3", "kronecker"})
    EXPECT_NE(all.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace certile::conformance
