#pragma once
#include <chrono>
#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "conformance/certificate/key.hpp"
#include "conformance/cli/report_files.hpp"
#include "conformance/proof/self_test/runner.hpp"
#include "conformance/run/installation.hpp"
#include "conformance/run/run_plan.hpp"

namespace certile::conformance {

// The commands of `certile`, and their options.  A command prints to `out` what it is asked for, and all else
// to `error`.  It returns its exit code: 2, after a sentence, for a file that cannot be read or written.

// Prints backends, with the reason if one is not built; definitions; element types; tiers.  If `names_only`,
// prints only the names of the built-in backends in this build, one on each line.  `is_installed` if the
// program has the workers of runtimes.
void list_command(std::ostream& out, bool names_only, bool is_installed);

// Says what a clause requires, or what a word of a report means; without words, lists all that have an
// explanation.  Returns 0, or 2 for a word without one.
int explain_command(const std::vector<std::string>& words, std::size_t width, std::ostream& out,
                    std::ostream& error);

// Makes the private Python environments of these runtimes, or, without names, lists all.  The installed
// program environments.py does the work, and says what each costs first.  Returns 0; 2 for an unknown name or
// without an installation; 3 if one could not be made.
int environments_command(const std::vector<std::string>& names, const Installation& installation,
                         std::ostream& error);

struct OracleOptions {
  std::string literal;      // a case, perhaps with `=> expectation`, or "-" for the lines of standard input
  bool shape_only = false;  // no elements are computed, so the answer may be too large to exist
};
// Answers each case as a corpus line on `out`: LITERAL => f32[4,6]{1,2,…}, LITERAL => reject # CLAUSE or
// LITERAL => unspecified # CLAUSE.  Both oracles decide on refusal and shape; the first one computes the
// elements.  A literal that cannot be read, an expectation or its clause that differs from the answer, and an
// answer above 1 MiB are errors: one sentence on `error`, and for "-" a line `error: …` on `out`, in order.
// Empty lines and lines that begin with # have no answer.  `out` is flushed whenever `in` has no input ready,
// so that a program may wait for each answer; for speed the caller turns off std::ios::sync_with_stdio.
// Returns 0; 2 after any error; 3 if `out` could not be written.
int oracle_command(const OracleOptions& options, std::istream& in, std::ostream& out, std::ostream& error);

// The options of `certile run BACKEND LITERAL…` and `certile shrink BACKEND LITERAL…`.
struct OneCaseOptions {
  std::vector<std::string> literals;
  RunOptions run;
  std::size_t width = 110;  // of pictures, in characters
};
// Asks one instance the cases in order, and explains each.  Returns 0 if none failed, 1 if any failed, 5 if
// none could be judged.
int run_command(const OneCaseOptions& options, std::ostream& out, std::ostream& error);
// Searches for a plainer case that fails as the last literal does, and prints it.  Returns 1 if it fails, 0
// if it does not, 5 if it could not be judged.
int shrink_command(const OneCaseOptions& options, std::ostream& out, std::ostream& error);

struct CertifyOptions {
  std::vector<std::string> backends;  // BACKEND spellings
  std::vector<std::string> in_smoke;  // those that are asked in smoke, whatever the tier of the others
  PlanOptions plan;
  bool tier_is_chosen = false;  // by the user
  Level level = Level::full;
  RunOptions run;
  bool shrink = false;  // shrink the first failure of each clause
  TextOptions text;
  std::string records;  // a path; empty: no records are written
  // "2/7", the second of seven shards of the plan; "auto": the shard that the environment names; empty: all.
  std::string shard;
  std::string resume;  // the path of records that were cut short, which the run completes; empty: none
  ReportFiles reports;
  // Each is the path of a file, or of a folder with a NAME.waivers for each backend; empty: none.
  std::string waivers, write_waivers;
  // The date on which waivers must be valid; else the clock's.
  std::optional<std::chrono::year_month_day> today;
};
// Plans, runs, judges and reports each backend in turn.  A backend that cannot be loaded does not affect the
// others.
int certify_command(const CertifyOptions& options, std::ostream& out, std::ostream& error);
// Replaces "built-in" among the backends by the names of all that can run here.  Says which of them are slow
// and asked in smoke.
void name_built_in_backends(CertifyOptions& options, std::ostream& error);

struct ReportOptions {
  std::vector<std::string> records;  // paths
  TextOptions text;
  ReportFiles files;
};
// Writes the same reports as the `certify` that wrote these files of records, except for its duration.
// Returns the exit code of their verdicts.
int report_command(const ReportOptions& options, std::ostream& out, std::ostream& error);

struct MergeOptions {
  std::vector<std::string> shards;  // paths
  std::string records, hosts;       // paths; no hosts: empty
  std::int64_t at_least = 1;        // the smallest number of cases that counts as a run
  ReportOptions report;             // of the merged records
};
// Writes the records that one run of the whole plan would have written, from those of its shards, and the
// reports that `certify` would have written.  Returns the exit code of the verdict; 2 if the files are not
// the shards of one run.
int merge_command(MergeOptions options, std::ostream& out, std::ostream& error);

struct DiffOptions {
  std::string before, after;  // files of records
  bool verbose = false;       // show every change
};
// Prints what a later run changed, the worse first.  Returns 1 if anything got worse, 0 if not.
int diff_command(const DiffOptions& options, std::ostream& out, std::ostream& error);

struct VerifyOptions {
  std::string path, key, binary;      // of files
  std::string backend;                // that is asked again; empty: none is
  std::optional<std::uint64_t> seed;  // of the cases that are asked again
};
// Recomputes a file of records, or checks a signed statement or a bundle, and asks a backend one in a hundred
// of the cases again.  Prints each check, whether it holds or not.  Returns 0 if all hold, 1 if any does not,
// and 2 if the path is nothing that certile wrote.
int verify_command(const VerifyOptions& options, std::ostream& out, std::ostream& error);

struct KeygenOptions {
  std::string name;
  Key::Type type = Key::Type::ed25519;
};
// Makes NAME.key and NAME.pub.  Returns 0; 2 if a file exists.
int keygen_command(const KeygenOptions& options, std::ostream& out, std::ostream& error);

struct SignOptions {
  std::string statement, key, envelope = "-";  // paths
};
// Signs a statement that exists, and writes the envelope.
int sign_command(const SignOptions& options, std::ostream& error);

// Prints each step of the check of a worker that the command starts.  Returns 0; 1 if an answer is wrong; 4
// if the worker does not start or does not speak the protocol; 130 if interrupted.
int worker_check_command(const std::string& command, std::ostream& out, std::ostream& error);

struct NewOptions {
  std::string language, folder;
};
// Returns the languages that have a starter: c, cpp, ….
std::vector<std::string> starter_languages();
// Writes the starter of the language to the folder: a small backend that passes its claim, with what builds
// and tests it.  Creates the folder, and prints its files and the next command.  Returns 0; 2 for a language
// without a starter, or a folder that has files.
int new_command(const NewOptions& options, std::ostream& out, std::ostream& error);

struct SelfTestCommandOptions {
  SelfTestOptions test;
  bool roster_only = false;
  std::string junit, witnesses;  // the paths of files to write; empty: none
};
// Checks that the suite catches the errors that it must catch.  Returns 0 if it catches all, else 1; 2 for an
// unknown name, 4 if the mutants are missing, 130 if interrupted.
int self_test_command(const SelfTestCommandOptions& options, std::ostream& out, std::ostream& error);

struct ClaimOptions {
  PlanOptions plan;  // its tier, and the budget of each round
  RunOptions run;
  bool as_python = false, as_json = false;
};
// Asks the backend everything, whatever it claims, and prints the claim that it may honestly make, and on
// `error` sentences about it.  Returns 0; 1 if something fails that the claim does not leave out, or must be
// refused first; 5 if nothing works.
int claim_command(const ClaimOptions& options, std::ostream& out, std::ostream& error);

// The options of the process of a backend, which several commands share.
struct Limits {
  static constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

  double seconds = 10;
  std::uint64_t mebibytes = 4096;
  std::vector<std::string> environment;
  std::string sandbox;  // empty: none
};

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
