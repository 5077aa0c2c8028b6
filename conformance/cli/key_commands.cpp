#include "conformance/cli/key_commands.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "conformance/certificate/envelope.hpp"
#include "conformance/certificate/statement_reader.hpp"
#include "conformance/cli/complain.hpp"
#include "conformance/text/exit_code.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

// Writes a file that does not exist yet, because a key that is lost cannot be made again.
Result<Done> write_new_file(const std::string& path, const std::string& text, mode_t mode) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  const bool written =
      descriptor >= 0 && ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int reason = errno;
  if (descriptor >= 0) close(descriptor);
  if (written) return Done{};
  return Error{Error::Code::io, "cannot write " + path + ": " + std::generic_category().message(reason)};
}

}  // namespace

KeygenCommand::KeygenCommand(CLI::App& app)
    : command_(*app.add_subcommand("keygen", "Make a key that signs certificates")) {
  command_.add_option("NAME", name_, "NAME.key becomes the private key, NAME.pub the public one")
      ->required()
      ->type_name("");
  command_
      .add_option_function<std::string>(
          "--type",
          [this](const std::string& word) {
            if (word != "ed25519" && word != "p256")
              throw CLI::ValidationError("--type", "unknown value '" + word + "'; valid: ed25519, p256");
            type_ = word == "p256" ? Key::Type::p256 : Key::Type::ed25519;
          },
          "The kind of key: ed25519 or p256")
      ->type_name("NAME")
      ->default_str("ed25519");
}

int KeygenCommand::execute(std::ostream& out, std::ostream& error) const {
  const auto key = Key::generate(type_);
  if (!key) return complain(error, key.error().what);
  constexpr mode_t for_its_owner = 0600, for_everyone = 0644;
  if (const auto done = write_new_file(name_ + ".key", key->private_pem(), for_its_owner); !done)
    return complain(error, done.error().what);
  if (const auto done = write_new_file(name_ + ".pub", key->public_pem(), for_everyone); !done)
    return complain(error, done.error().what);
  out << printable(name_) << ".key signs: keep it secret.  " << printable(name_)
      << ".pub verifies: publish it.\nkey " << key->id() << std::endl;
  return exit_conformant;
}

SignCommand::SignCommand(CLI::App& app)
    : command_(*app.add_subcommand("sign", "Sign a statement that `certify --certificate` wrote")) {
  command_.add_option("STATEMENT", statement_, "The file of the statement")->required()->type_name("");
  command_.add_option("--key", key_, "The private key, which `certile keygen` makes")
      ->required()
      ->type_name("KEY");
  command_.add_option("--output", envelope_, "The file of the signed statement; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
}

int SignCommand::execute(std::ostream& error) const {
  const auto statement = read_text(statement_, "the statement");
  if (!statement) return complain(error, statement.error().what);
  if (const auto line = line_of_statement(*statement); !line)
    return complain(error, printable(statement_) + ": " + line.error().what);
  const auto key = Key::read_private(key_);
  if (!key) return complain(error, key.error().what);
  const auto envelope = enveloped(*statement, *key);
  if (!envelope) return complain(error, envelope.error().what);
  const auto written = write_whole_file(envelope_, *envelope);
  return written ? exit_conformant : complain(error, written.error().what);
}

}  // namespace certile::conformance
