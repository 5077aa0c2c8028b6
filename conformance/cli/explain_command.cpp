#include "conformance/cli/explain_command.hpp"

#include "conformance/explain/explanation.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {

int explain_command(const std::vector<std::string>& words, std::size_t width, std::ostream& out,
                    std::ostream& error) {
  if (words.empty()) {
    out << all_explained_words(width);
    return exit_conformant;
  }
  const auto text = explanation_of(joined(words, " "), width);
  if (!text) {
    error << "certile: " << text.error().what << std::endl;
    return exit_bad_command;
  }
  out << *text;
  return exit_conformant;
}

}  // namespace certile::conformance
