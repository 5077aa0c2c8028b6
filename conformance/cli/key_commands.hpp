#pragma once
#include <CLI/CLI.hpp>
#include <ostream>
#include <string>

#include "conformance/certificate/key.hpp"

namespace certile::conformance {

// The command `certile keygen NAME`: makes NAME.key and NAME.pub.
class KeygenCommand {
 public:
  explicit KeygenCommand(CLI::App& app);
  KeygenCommand(const KeygenCommand&) = delete;
  KeygenCommand& operator=(const KeygenCommand&) = delete;

  bool parsed() const { return command_.parsed(); }
  // Returns 0; 2 if a file exists or cannot be written.
  int execute(std::ostream& out, std::ostream& error) const;

 private:
  CLI::App& command_;
  std::string name_;
  Key::Type type_ = Key::Type::ed25519;
};

// The command `certile sign STATEMENT --key KEY`: signs a statement that exists.
class SignCommand {
 public:
  explicit SignCommand(CLI::App& app);
  SignCommand(const SignCommand&) = delete;
  SignCommand& operator=(const SignCommand&) = delete;

  bool parsed() const { return command_.parsed(); }
  // Writes the envelope.  Returns 0; 2 if the statement or the key cannot be read, or the envelope not
  // written.
  int execute(std::ostream& error) const;

 private:
  CLI::App& command_;
  std::string statement_, key_, envelope_ = "-";
};

}  // namespace certile::conformance
