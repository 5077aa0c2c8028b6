#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace certile::conformance {

// Quotes `text` as one word of a shell's command line.
std::string quoted_for_shell(const std::string& text);

// A command as a shell divides it.
struct ShellWords {
  std::vector<std::string> words;  // without their quotes
  char syntax = 0;  // the first character that means more than itself, as $ does; 0: there is none
};
ShellWords shell_words(std::string_view command);

}  // namespace certile::conformance
