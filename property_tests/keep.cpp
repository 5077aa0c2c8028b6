#include "property_tests/keep.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "conformance/plan/corpus.hpp"
#include "reference/values/case.hpp"

namespace certile::property_tests {

std::string corpus_of_source_tree() {
  std::error_code error;
  for (auto folder = std::filesystem::current_path(error); !error; folder = folder.parent_path()) {
    const auto corpus = folder / "conformance/plan/corpora/regressions.tile";
    if (std::filesystem::exists(corpus, error)) return corpus.string();
    if (folder == folder.parent_path()) break;
  }
  return {};
}

namespace {

// Returns the cases of the corpus, to find duplicates.  An empty file is a corpus, too.
Result<std::vector<Case>> cases_of(const conformance::CorpusText& corpus) {
  if (corpus.text.find_first_not_of(" \n") == std::string::npos) return std::vector<Case>{};
  return conformance::parse_corpus(corpus);
}

}  // namespace

Result<Done> check_corpus(const std::string& path) {
  TRY(const auto corpus, conformance::read_corpus(path));
  TRY(const auto cases, cases_of(corpus));
  if (access(path.c_str(), W_OK) != 0)
    return Error{Error::Code::io, path + ": may not be written to by this user"};
  return Done{};
}

Result<bool> keep_in_corpus(const std::string& path, const std::string& literal, const std::string& words) {
  TRY(const auto corpus, conformance::read_corpus(path));
  TRY(const auto cases, cases_of(corpus));
  const auto is_it = [&](const Case& known) { return to_string(known) == literal; };
  if (std::any_of(cases.begin(), cases.end(), is_it)) return false;
  std::ofstream file(path, std::ios::app);
  const bool ends_in_a_line = corpus.text.empty() || corpus.text.back() == '\n';
  file << (ends_in_a_line ? "" : "\n") << literal << " # " << words << '\n';
  if (!file.flush()) return Error{Error::Code::io, path + ": the counterexample could not be written"};
  return true;
}

}  // namespace certile::property_tests
