#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/clause.hpp"
#include "reference/values/result.hpp"

namespace certile {

// A published text that a page quotes.  A copy of the text is stored in reference/spec/sources.
struct PublishedText {
  std::string title;    // "Tile - 13": the text's name in the sources of clauses
  std::string address;  // of the publication
  std::string version;  // or date
  std::string licence;  // "Apache-2.0"
  std::string sha256;   // of the stored copy, 64 hexadecimal digits
  std::string file;     // the stored copy, from reference/spec: "sources/onnx-tile.md"
};

// A page of reference/spec: one definition, or the contract.
struct Page {
  std::string name;                  // "openvino-tile-1", "contract"
  std::string digest_source;         // the bytes of the page, whose digest is in certificates
  std::vector<PublishedText> texts;  // in the order of the page; the contract has none
  std::vector<Clause> clauses;
};

// Reads one page.  Errors: `bad_literal` with the line number if the page does not have the form that
// reference/spec/README.md gives.
Result<Page> parse_page(std::string_view name, std::string_view text);

}  // namespace certile
