#include "conformance/cli/explain_command.hpp"

#include "conformance/explain/explanation.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {

ExplainCommand::ExplainCommand(CLI::App& app)
    : command_(
          *app.add_subcommand("explain", "Say what a clause requires, or what a word of a report means")) {
  command_
      .add_option("WORD", words_,
                  "The id or name of a clause, a fault, a verdict or another word; none: list them all")
      ->type_name("");
}

int ExplainCommand::execute(std::size_t width, std::ostream& out, std::ostream& error) const {
  if (words_.empty()) {
    out << all_explained_words(width);
    return exit_conformant;
  }
  const auto text = explanation_of(joined(words_, " "), width);
  if (!text) {
    error << "certile: " << text.error().what << std::endl;
    return exit_bad_command;
  }
  out << *text;
  return exit_conformant;
}

}  // namespace certile::conformance
