#include "conformance/text/shell_words.hpp"

#include <string_view>
#include <utility>

#include "conformance/text/printable.hpp"

namespace certile::conformance {

std::string quoted_for_shell(const std::string& text) {
  constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!text.empty() && text.find_first_not_of(safe) == std::string::npos) return text;
  // Characters that a terminal would act upon are spelled in the form $'…', in which \xNN is the byte.
  const bool has_escapes = printable(text) != text;
  std::string word;
  for (const char character : text) {
    if (has_escapes && (character == '\'' || character == '\\')) word += '\\';
    word += character;
    if (!has_escapes && character == '\'') word += "\\''";
  }
  return has_escapes ? "$'" + printable(word) + "'" : "'" + word + "'";
}

namespace {

// Returns true for characters with which a shell looks for something, or begins another command.
bool is_syntax(char character, char quote) {
  if (quote == '\'') return false;
  if (character == '$' || character == '`') return true;
  return quote == 0 && std::string_view(";&|<>()*?[~\n").find(character) != std::string_view::npos;
}

}  // namespace

ShellWords shell_words(std::string_view command) {
  ShellWords found;
  std::string word;
  bool any = false;
  char quote = 0;
  for (std::size_t at = 0; at < command.size(); ++at) {
    const char character = command[at];
    if (found.syntax == 0 && is_syntax(character, quote)) found.syntax = character;
    if (quote == 0 && (character == ' ' || character == '\t' || character == '\n')) {
      if (any) found.words.push_back(std::exchange(word, {}));
      any = false;
      continue;
    }
    any = true;
    const bool is_quote = (character == '\'' || character == '"') && (quote == 0 || quote == character);
    if (is_quote) {
      quote = quote == 0 ? character : '\0';
    } else if (character == '\\' && quote != '\'' && at + 1 < command.size()) {
      word += command[++at];
    } else {
      word += character;
    }
  }
  if (any) found.words.push_back(std::move(word));
  return found;
}

}  // namespace certile::conformance
