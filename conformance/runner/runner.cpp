#include <cstdio>
#include <span>
#include <string>
#include <string_view>

#include "backends/plugin/certile_runner.h"
#include "backends/plugin/plugin.hpp"
#include "conformance/ask/process/host.hpp"
#include "conformance/ask/process/host_options.hpp"
#include "conformance/ask/rig/fault_handler.hpp"
#include "conformance/ask/rig/stacks.hpp"

// certile::runner is the code of certile-host in a static archive.  [CT-SELF] Like certile-host it has no
// oracle and no backend, and its symbols are its own: a kernel finds nothing in it to pass calls on to.

// The mark by which certile knows a program that links the runner, without starting the program: an ELF note
// with the version, because the runner and certile understand each other only if they are of one version.
// conformance/ask/process/runner_note.cpp reads it.
asm(".pushsection .note.certile, \"a\", %note\n"
    ".balign 4\n"
    ".long 8, 2f - 1f, 1\n"
    ".asciz \"certile\"\n"
    "1: .asciz \"" CERTILE_VERSION
    "\"\n"
    "2: .balign 4\n"
    ".popsection\n");

namespace certile::conformance {
namespace {

certile_open open_kernel = nullptr;

Result<backends::Plugin> open_own_kernel(std::string_view spelling) {
  return backends::Plugin::open(std::string(spelling), open_kernel);
}

}  // namespace
}  // namespace certile::conformance

int certile_runner_main(int argument_count, char** arguments, certile_open open) {
  namespace conformance = certile::conformance;
  const std::span<char* const> words(arguments, static_cast<std::size_t>(argument_count));
  if (words.empty() || !conformance::parse_host_arguments(words.subspan(1))) {
    std::fputs("this program is a kernel that certile starts to judge it: certile certify ./PROGRAM\n",
               stderr);
    return 2;
  }
  conformance::open_kernel = open;
  return conformance::call_with_stack(
      [&] { return conformance::run_host(argument_count, arguments, conformance::open_own_kernel); });
}
