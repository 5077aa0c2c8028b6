#include "conformance/text/shell_word.hpp"

#include <string_view>

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

}  // namespace certile::conformance
