#pragma once
#include <optional>
#include <string_view>

#include "backends/plugin/plugin.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Opens a plugin to judge: `open_backend`, or a part of it.
using OpenBackend = Result<backends::Plugin> (*)(std::string_view spelling);

// Runs the host process, below which every backend is judged: `certile host …`, with the arguments of
// `host_arguments`.  The host adopts every process that descends from its child and loses its parent, and
// ends them all with the child; the end of its socket ends the host and all of them.
//
// The runner starts it before planning, so that neither the host nor its children ever hold an expected
// value. The host loads no backend; for each 's' on the socket it forks a child that does, captures the
// child's output, and records how the child ends; 'k' kills the child.
//
// A worker's host has the socket alone.  Its child is the worker's command, with the host's standard streams,
// a separate session and a limit of memory, and the host ends as that does.  A process number on the socket
// names the worker's fork server, which is kept while all other processes are ended; the host answers with
// one byte, and from then on ends as that process does.
int run_host(int argument_count, char** arguments, OpenBackend open);

// The shared note of the files that this process opens to write to; null before run_host() has mapped it.
extern WrittenFiles* written_files;

// Runs this program as the host of a backend of this tree, or of a worker, if its arguments ask for one.
// Returns the exit code; nothing for other arguments.
std::optional<int> run_as_own_process(int argument_count, char** arguments);

// The descriptors that the host gets from the runner.
inline constexpr int host_requests = 3, host_socket = 4, host_replies = 5;
// The descriptor of the file that the host is executed from, if that is a copy in memory.
inline constexpr int host_own_program = 6;

}  // namespace certile::conformance
