#include "conformance/certificate/worker_files.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "conformance/text/printable.hpp"
#include "conformance/text/shell_words.hpp"

namespace certile::conformance {
namespace {

bool has(const std::vector<Part>& parts, const std::string& word) {
  return std::ranges::any_of(parts, [&word](const Part& part) {
    return !part.digest.empty() && (part.name == word || part.name.ends_with("/" + word));
  });
}

// Returns true for "./mine" and "mine.py", and false for "--fast" and "1.5".
bool names_a_file(std::string_view word) {
  if (word.find('/') != word.npos) return true;
  const std::size_t point = word.rfind('.');
  return point != word.npos && point + 1 < word.size() &&
         std::isalpha(static_cast<unsigned char>(word[point + 1])) != 0;
}

bool is_assignment(std::string_view word) {
  return word.find('=') != word.npos && word.find('=') < word.find('/');
}

}  // namespace

std::optional<std::string> unknown_file_of(const std::string& spelling, const std::vector<Part>& parts) {
  constexpr std::string_view prefix = "worker:";
  if (!spelling.starts_with(prefix)) return std::nullopt;
  const ShellWords command = shell_words(std::string_view(spelling).substr(prefix.size()));
  if (command.syntax != 0)
    return "the shell decides what the worker's command runs: it has " +
           (command.syntax == '\n' ? std::string("a new line")
                                   : std::string("the character ") + command.syntax);
  bool is_program_known = false;
  for (const std::string& word : command.words) {
    if (!is_program_known && (word == "exec" || is_assignment(word))) continue;
    if (word == "-c") return "the worker's command has code in it, behind -c";
    const bool is_named = !is_program_known || names_a_file(word);
    is_program_known = true;
    if (is_named && !has(parts, word) && !has(parts, word.substr(0, word.rfind(':'))))
      return "the worker's command names " + printable(word) + ", which is no file whose SHA-256 was taken";
  }
  return std::nullopt;
}

}  // namespace certile::conformance
