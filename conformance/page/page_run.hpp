#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/judge/record.hpp"
#include "conformance/records/record_json.hpp"
#include "conformance/records/summary.hpp"

namespace certile::conformance {

// Returns what a page draws of a case: the data and the expected output as operands of a literal, and their
// bits in hexadecimal, one after the other; or the clause that refuses the case or leaves it open, and why.
// Null if the case cannot be read, has too many elements for a picture, or has only a shape.
Json picture_data(const std::string& literal);

// Returns the bits of the elements of an operand, as in `picture_data`; empty for strings, and for text that
// is no operand.
std::string bits_of_operand(const std::string& operand);

// A column of whole numbers as text: each number in base 64, five bits a character, the lowest first, with
// the sixth bit set on all but its last character.  This is the form of numbers in source maps, but without a
// sign.
class Column {
 public:
  void add(std::uint64_t number);
  // Adds a number that may be negative, as twice its value, or as minus twice its value minus one.
  void add_signed(std::int64_t number);
  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

// A table of texts, each stored once, which have numbers in the order of their arrival.
class TextTable {
 public:
  // Returns the number of the text.
  std::uint32_t number_of(std::string_view text);
  const std::vector<std::string_view>& texts() const noexcept { return texts_; }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;  // its keys do not move
  std::vector<std::string_view> texts_;
};

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
