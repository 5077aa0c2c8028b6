#pragma once
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/cli/certify_command.hpp"
#include "conformance/cli/claim_command.hpp"
#include "conformance/cli/key_commands.hpp"
#include "conformance/cli/limits.hpp"
#include "conformance/cli/merge_command.hpp"
#include "conformance/cli/new_command.hpp"
#include "conformance/cli/oracle_command.hpp"
#include "conformance/cli/remarks.hpp"
#include "conformance/cli/report_command.hpp"
#include "conformance/cli/run_command.hpp"
#include "conformance/cli/self_test_command.hpp"
#include "conformance/cli/verify_command.hpp"
#include "conformance/run/installation.hpp"

namespace certile::conformance {

// The command that a command line names, and the options of each.
struct CommandLine {
  std::string command;  // its name, such as "worker-check"

  bool names_only = false;                // of list
  std::vector<std::string> explained;     // the words that explain explains
  std::vector<std::string> environments;  // that environments makes; none: lists them
  std::string worker;                     // the command of worker-check
  Limits limits;                          // of run, shrink, certify and claim
  OracleOptions oracle;
  OneCaseOptions one_case;  // of run and shrink
  CertifyOptions certify;
  ReportOptions report;
  MergeOptions merge;
  DiffOptions diff;
  VerifyOptions verify;
  KeygenOptions keygen;
  SignOptions sign;
  NewOptions new_starter;
  SelfTestCommandOptions self_test;
  ClaimOptions claim;
};

// Reads the command line.  Returns the exit code if that is all: 0 after help or a version on `out`, 2 after
// a sentence on `error`.
std::optional<int> read_command_line(CommandLine& line, const Installation& installation, int argument_count,
                                     char** arguments, std::ostream& out, std::ostream& error);

}  // namespace certile::conformance
