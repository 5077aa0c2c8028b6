#pragma once
#include <ostream>
#include <string>

#include "conformance/certificate/key.hpp"

namespace certile::conformance {

// The options of `certile keygen NAME`.
struct KeygenOptions {
  std::string name;
  Key::Type type = Key::Type::ed25519;
};

// Makes NAME.key and NAME.pub.  Returns 0; 2 if a file exists or cannot be written.
int keygen_command(const KeygenOptions& options, std::ostream& out, std::ostream& error);

// The options of `certile sign STATEMENT --key KEY`: paths.
struct SignOptions {
  std::string statement, key, envelope = "-";
};

// Signs a statement that exists, and writes the envelope.  Returns 0; 2 if the statement or the key cannot be
// read, or the envelope not written.
int sign_command(const SignOptions& options, std::ostream& error);

}  // namespace certile::conformance
