#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/page/column.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/records/summary.hpp"

namespace certile::conformance {

// The tables that the runs of a page share: literals, and the lists of clauses that cases exercise.
class PageTables {
 public:
  std::uint32_t number_of_case(const std::string& literal);
  std::uint32_t number_of_list(const std::vector<std::string_view>& clauses);
  // Returns the literals and the lists as columns, with the texts that they are made of.
  Json json() const;

 private:
  TextTable literals_;
  TextTable words_;  // of literals, between their spaces
  Column cases_;     // for each literal the number of its words, and their numbers
  TextTable clauses_;
  std::unordered_map<std::string, std::uint32_t> lists_;
  Column list_texts_;  // for each list the number of its clauses, and their numbers
};

// One run of a page: its header and footer as records have them, a row for each case in columns, and the
// records of the failures that a reader looks at first.
class PageRun {
 public:
  // Begins the columns of a run; an earlier one is there to be compared with.
  PageRun(const RunHeader& header, bool is_earlier);

  void add(const Record& record, PageTables& tables);
  void close(const Summary& summary);

  // Returns the run, and adds a picture for the plainest failures of each clause to `pictures`, by literal.
  Json json(Json& pictures) const;

 private:
  // A record that the page has whole.
  struct Kept {
    std::pair<bool, Plainness> key;  // whether no one knows how to show it again, and how plain it is
    std::int64_t row;
    Record record;
  };

  void keep(const Record& record);

  Json header_, footer_;
  bool is_earlier_;
  std::int64_t rows_ = 0, before_ = -1;
  Column cases_, verdicts_, lists_, charges_;
  std::map<std::string, std::vector<Kept>, std::less<>> kept_;  // by clause, or by verdict; a heap each
};

}  // namespace certile::conformance
