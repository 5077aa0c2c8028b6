#include "conformance/plan/corpus.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace certile::conformance {
namespace {

std::string corpus_error(const std::string& text) {
  const auto cases = parse_corpus({"my.tile", text});
  return cases ? "no error" : cases.error().what;
}

TEST(Corpus, IsItsCaseLinesWithoutEmptyOnesAndComments) {
  const auto cases = parse_corpus({"my.tile",
                                   "# first\n\nonnx-tile-13 f32[2] x i64{2}\r\n   \n"
                                   "onnx-tile-6 f32[2] x i64{3}   => f32[6]  # words"});
  ASSERT_TRUE(cases) << cases.error().what;
  ASSERT_EQ(cases->size(), 2U);
  EXPECT_EQ(to_string((*cases)[0]), "onnx-tile-13 f32[2] x i64{2}");
  EXPECT_EQ(to_string((*cases)[1]), "onnx-tile-6 f32[2] x i64{3}");
}

TEST(Corpus, NamesFileAndLineOfALineThatIsNoCase) {
  const std::string error =
      corpus_error("# one\nonnx-tile-13 f32[2] x i64{2}\nonnx-tile-99 f32[2] x i64{2}\n");
  EXPECT_EQ(error.substr(0, 11), "my.tile:3: ");
  EXPECT_NE(error.find("column 1"), std::string::npos) << error;
}

TEST(Corpus, WithoutAnyCaseIsAnError) {
  EXPECT_EQ(corpus_error("# nothing but words\n"), "the corpus my.tile has no case in it");
  EXPECT_EQ(corpus_error(""), "the corpus my.tile has no case in it");
}

TEST(Corpus, ThatDoesNotExistIsAnErrorThatNamesIt) {
  const auto corpus = read_corpus("/nonexistent/my.tile");
  ASSERT_FALSE(corpus);
  EXPECT_EQ(corpus.error().code, Error::Code::io);
  EXPECT_EQ(corpus.error().what, "cannot read the corpus /nonexistent/my.tile: No such file or directory");
}

TEST(Corpus, ThatIsADirectoryIsAnError) {
  const auto corpus = read_corpus("/");
  ASSERT_FALSE(corpus);
  EXPECT_EQ(corpus.error().what, "cannot read the corpus /: Is a directory");
}

TEST(Corpus, ExpectingAnotherShapeThanTheOracleIsAnError) {
  EXPECT_EQ(corpus_error("onnx-tile-13 f32[2] x i64{2} => f32[5]"),
            "my.tile:1: the oracle does not expect this, but f32[4]; "
            "see it all: certile oracle 'onnx-tile-13 f32[2] x i64{2}'");
}

TEST(Corpus, ExpectingOtherElementsThanTheOracleIsAnError) {
  EXPECT_NE(corpus_error("onnx-tile-13 f32[2] x i64{2} => f32{1,2,1,3}"), "no error");
  EXPECT_EQ(corpus_error("onnx-tile-13 f32[2] x i64{2} => f32{1,2,1,2}"), "no error");
}

TEST(Corpus, ExpectingAnotherTypeThanTheDatasIsAnError) {
  EXPECT_NE(corpus_error("onnx-tile-13 f32[2] x i64{0} => f64[0]"), "no error");
}

TEST(Corpus, ExpectingARefusalWhereThereIsNoneIsAnError) {
  EXPECT_NE(corpus_error("openvino-tile-1 f32[2] x i64{-1} => reject"), "no error");
}

TEST(Corpus, NamingAnotherClauseForARefusalThanTheOracleIsAnError) {
  EXPECT_EQ(corpus_error("onnx-tile-13 f32[2] x i64{2,2} => reject # ONNX-T13-X3"),
            "my.tile:1: the oracle does not expect this, but reject # ONNX-T13-I3; "
            "see it all: certile oracle 'onnx-tile-13 f32[2] x i64{2,2}'");
  EXPECT_EQ(corpus_error("onnx-tile-13 f32[2] x i64{2,2} => reject # ONNX-T13-I3 one too many"), "no error");
  EXPECT_EQ(corpus_error("onnx-tile-13 f32[2] x i64{2,2} => reject # one too many"), "no error");
}

TEST(Corpus, ExpectingASettledAnswerWhereTheTextIsSilentIsAnError) {
  EXPECT_NE(corpus_error("openvino-tile-1 c64[2] x i64{2} => c64[4]"), "no error");
  EXPECT_EQ(corpus_error("openvino-tile-1 c64[2] x i64{2} => unspecified"), "no error");
}

TEST(Corpus, NamingAnotherClauseForAnOpenCaseThanTheOracleIsAnError) {
  EXPECT_EQ(corpus_error("openvino-tile-1 c64[2] x i64{2} => unspecified # OV-T1-T2"),
            "my.tile:1: the oracle does not expect this, but unspecified # OV-T1-T1; "
            "see it all: certile oracle 'openvino-tile-1 c64[2] x i64{2}'");
  EXPECT_EQ(corpus_error("openvino-tile-1 c64[2] x i64{2} => unspecified # OV-T1-T1 an open set"),
            "no error");
}

TEST(Corpus, MayAskForShapesTooLargeToExist) {
  EXPECT_EQ(corpus_error("openvino-tile-1 u8[65537] x i64{65536} @infer => u8[4295032832]"), "no error");
}

TEST(Corpus, ChecksTheAnswerWhereverTheBuffersLie) {
  EXPECT_EQ(corpus_error("openvino-tile-1 u8[2] x i64{2} @threads=2 => u8[4]"), "no error");
}

TEST(Corpora, OfThisProgramCanAllBeRead) {
  std::vector<std::string> names;
  for (const CorpusText& corpus : built_in_corpora()) {
    names.push_back(corpus.name);
    const auto cases = parse_corpus(corpus);
    EXPECT_TRUE(cases) << cases.error().what;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"array-api-tile.tile", "core.tile", "regressions.tile",
                                             "smoke.tile", "types.tile"}));
}

}  // namespace
}  // namespace certile::conformance
