#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/clause.hpp"
#include "reference/values/result.hpp"

namespace certile {

// A published text that a page quotes. A copy of what was read is stored beside the page.
struct PublishedText {
  std::string title;    // "Tile - 13": how the sources of the clauses name the text
  std::string address;  // where it was published
  std::string version;  // or its date
  std::string licence;  // "Apache-2.0"
  std::string sha256;   // of the stored copy, 64 hexadecimal digits
  std::string file;     // the stored copy, from reference/spec: "sources/onnx-tile.md"
};

// A page of reference/spec: one definition, or the contract.
struct Page {
  std::string name;                  // "openvino-tile-1", "contract"
  std::string digest_source;         // the page as it was read: what a certificate takes the digest of
  std::vector<PublishedText> texts;  // in the order of the page; the contract has none
  std::vector<Clause> clauses;
};

// Reads one page; bad_literal with the line number when it does not follow the form that
// reference/spec/README.md gives.
Result<Page> parse_page(std::string_view name, std::string_view text);

}  // namespace certile
