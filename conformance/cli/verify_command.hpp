#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/certificate/key.hpp"
#include "conformance/records/verification.hpp"

namespace certile::conformance {

// The command `certile verify PATH`: recomputes a file of records, or checks a signed statement or a bundle.
class VerifyCommand {
 public:
  explicit VerifyCommand(CLI::App& app);
  VerifyCommand(const VerifyCommand&) = delete;
  VerifyCommand& operator=(const VerifyCommand&) = delete;

  bool parsed() const { return command_.parsed(); }
  // Returns the backend that is asked again, to be spelled as certile starts it; empty: none is.
  std::string& backend() noexcept { return backend_; }
  // Prints each check, whether it holds or not.  Returns 0 if all hold, 1 if any does not, and 2 if the path
  // cannot be read or is nothing that certile wrote.
  int execute(std::ostream& out, std::ostream& error) const;

 private:
  int verify_folder(std::ostream& out, std::ostream& error) const;
  int verify_envelope(const std::string& text, std::ostream& out, std::ostream& error) const;
  // Prints the checks of the runs, and asks the backend again if one is named.
  int verify_runs(const std::vector<Verification>& runs, bool holds_so_far, std::ostream& out,
                  std::ostream& error) const;
  Result<std::optional<Key>> read_key() const;
  // Checks that the binary is a subject of the statement.
  std::vector<Check> check_subjects(const std::string& statement) const;

  CLI::App& command_;
  std::string path_, key_, binary_, backend_;
  std::optional<std::uint64_t> seed_;
};

}  // namespace certile::conformance
