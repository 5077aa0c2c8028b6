#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/case.hpp"

namespace certile {

// One checkable sentence of one operator's specification, or of the contract they share.
struct Requirement {
  // ours: needed, but not written or written wrongly.  exclusion: that calls are refused which the text does
  // not know.  contract: a CT clause, which is ours for every operator.
  enum class Kind { normative, example, informative, ours, exclusion, contract };

  std::string id;    // "OV-T1-R1": given once, never reused, never renumbered
  std::string name;  // "promote-data": for people
  Kind kind = Kind::normative;
  bool testable = true;
  std::string untestable_because;     // set when it is not testable: "defective text", "nothing to run", …
  std::string source;                 // document, section, sentence
  std::string text;                   // our words
  std::vector<std::string> examples;  // corpus lines: LITERAL => expectation
};

// A published text that a page quotes. A copy of what was read is stored beside the page.
struct PublishedText {
  std::string title;    // "Tile - 13": how the sources of the clauses name the text
  std::string address;  // where it was published
  std::string version;  // or its date
  std::string licence;  // "Apache-2.0"
  std::string sha256;   // of the stored copy, 64 hexadecimal digits
  std::string file;     // the stored copy, from reference/spec: "sources/onnx-tile.md"
};

// A page of reference/spec: one operator, or the contract.
struct SpecPage {
  std::string name;                  // "openvino-tile-1", "contract"
  std::string digest_source;         // the page as it was read: what a certificate takes the digest of
  std::vector<PublishedText> texts;  // in the order of the page; the contract has none
  std::vector<Requirement> requirements;
};

// The pages compiled into this program: openvino-tile-1, onnx-tile-13, onnx-tile-6, onnx-tile-1, contract.
// They are read once; a page that cannot be read is a fault of this program and ends it with a message.
std::span<const SpecPage> spec_pages();

// Reads one page; bad_literal with the line number when it does not follow the form that
// reference/spec/README.md gives.
Result<SpecPage> parse_spec_page(std::string_view name, std::string_view text);

const SpecPage& spec_page(Operator op);
const SpecPage& contract_page();

// The requirement of that id; null when there is none.
const Requirement* find_requirement(std::string_view id);

// "normative", "example", "informative", "ours", "exclusion", "contract".
std::string_view name(Requirement::Kind kind) noexcept;

// True where a failure breaks the level *text*: normative clauses, examples and the contract.
bool counts_at_text(Requirement::Kind kind) noexcept;

}  // namespace certile
