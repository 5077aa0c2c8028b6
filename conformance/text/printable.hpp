#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace certile::conformance {

// Returns untrusted text made printable: control characters, escapes, newlines and invalid UTF-8 as \xNN, and
// so are characters that CI systems obey: a colon at the beginning (::error::) and ##[….
std::string printable(std::string_view text);

// Does the same for each line; the line ends stay.
std::string printable_lines(std::string_view text);

// Returns the text with two more spaces before each line but the first.
std::string with_lines_indented(std::string text);

// Returns the text up to its first newline.
std::string_view first_line(std::string_view text);

// Returns the text with each byte that is not UTF-8 spelled \xNN, as `printable` spells it.
std::string valid_utf8(std::string_view text);

// Returns at most about `limit` bytes, cut between characters and escapes, with an ellipsis for the rest.
std::string shortened(std::string_view text, std::size_t limit);
// Returns about as many bytes around the one at `place`, with an ellipsis for what is left out on either
// side.
std::string shortened_around(std::string_view text, std::size_t place, std::size_t limit);

// Returns the name or version of a backend for a line that people and scripts read: no longer than about 80
// bytes, and in quotes if it is more than letters, digits, single spaces and ._+-, because words of the line
// could be in it.
std::string printable_name(std::string_view text);

// Returns printable text that Markdown and HTML show unchanged, in cells of tables too.
std::string markdown_text(std::string_view text);

// Returns a code block whose fence the text cannot close.
std::string markdown_block(std::string_view text);

// Spells the first # of ##[… in JSON as \u0023, which means the same there and is no command to a CI system.
void escape_commands(std::string& json);

// Returns "7,240".
std::string with_thousands(std::int64_t number);

// Returns "1 case", "7,240 cases".
std::string counted(std::int64_t number, std::string_view thing);

// Returns "a, b, c".
std::string joined(const std::vector<std::string>& words, std::string_view separator);

// Returns "a, b and 3 more" if there are more than `limit`.
std::string listed(const std::vector<std::string>& words, std::size_t limit);

// Returns the sentence with the text that it is about on a separate line, and a caret under the column that
// the sentence begins with, as those of parse_case() do: "column 20: expected …".  A long text is cut around
// that column.  A sentence that names no column is returned unchanged.
std::string with_caret(const std::string& sentence, std::string_view text);

}  // namespace certile::conformance
