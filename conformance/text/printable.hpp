#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace certile {

// Untrusted text made printable: control characters, escapes and invalid UTF-8 as \xNN; newlines too, and
// what a CI system would obey: a colon at the beginning (::error::) and ##[….
std::string printable(std::string_view text);

// The same for each line; the line ends stay.
std::string printable_lines(std::string_view text);

// At most about `limit` bytes, cut between characters and escapes, with an ellipsis where something was cut.
std::string shortened(std::string_view text, std::size_t limit);

// The name or version of a backend, fit for a heading: printable and no longer than 80 bytes.
std::string printable_name(std::string_view text);

// Printable text that Markdown and HTML show as it is, in cells of tables too.
std::string markdown_text(std::string_view text);

// A code block whose fence the text cannot close.
std::string markdown_block(std::string_view text);

// Spells the first # of ##[… in JSON as \u0023, which means the same there, and is no command to a CI system.
void escape_commands(std::string& json);

// "7,240".
std::string with_thousands(std::int64_t number);

// "1 case", "7,240 cases".
std::string counted(std::int64_t number, std::string_view thing);

// "a, b, c".
std::string joined(const std::vector<std::string>& words, std::string_view separator);

// "a, b and 3 more" where there are more than `limit`.
std::string listed(const std::vector<std::string>& words, std::size_t limit);

}  // namespace certile
