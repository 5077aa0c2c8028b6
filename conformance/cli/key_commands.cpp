#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "conformance/certificate/envelope.hpp"
#include "conformance/certificate/statement.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/text/input_file.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"
#include "conformance/text/terminal.hpp"

namespace certile::conformance {
namespace {

// Writes a file that does not exist yet, because a key that is lost cannot be made again.
Result<Done> write_new_file(const std::string& path, const std::string& text, mode_t mode) {
  const auto cannot = [&path](int reason) {
    return Error{Error::Code::io, "cannot write " + path + ": " + std::generic_category().message(reason)};
  };
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0) return cannot(errno);
  const bool written = ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                       fsync(descriptor) == 0;
  const int reason = errno;
  close(descriptor);
  if (written) return Done{};
  unlink(path.c_str());  // a part of a key is none
  return cannot(reason);
}

}  // namespace

int keygen_command(const KeygenOptions& options, std::ostream& out, std::ostream& error) {
  const auto key = Key::generate(options.type);
  if (!key) return complain(error, key.error().what);
  constexpr mode_t for_its_owner = 0600, for_everyone = 0644;
  if (const auto done = write_new_file(options.name + ".key", key->private_pem(), for_its_owner); !done)
    return complain(error, done.error().what);
  if (const auto done = write_new_file(options.name + ".pub", key->public_pem(), for_everyone); !done) {
    unlink((options.name + ".key").c_str());
    return complain(error, done.error().what);
  }
  out << printable(options.name) << ".key signs: keep it secret.  " << printable(options.name)
      << ".pub verifies: publish it.\nkey " << key->id() << std::endl;
  return exit_conformant;
}

int sign_command(const SignOptions& options, std::ostream& error) {
  const auto statement = read_text(options.statement, "the statement");
  if (!statement) return complain(error, statement.error().what);
  if (const auto line = line_of_statement(*statement); !line)
    return complain(error, printable(options.statement) + ": " + line.error().what);
  const auto key = Key::read_private(options.key);
  if (!key) return complain(error, key.error().what);
  const auto envelope = enveloped(*statement, *key);
  if (!envelope) return complain(error, envelope.error().what);
  const auto written = write_whole_file(options.envelope, *envelope);
  return written ? exit_conformant : complain(error, written.error().what);
}

}  // namespace certile::conformance
