#pragma once
#include <optional>
#include <string_view>

#include "backends/plugin/plugin.hpp"
#include "conformance/ask/wire/control_block.hpp"
#include "reference/values/result.hpp"

namespace certile::conformance {

// Opens a plugin to judge: `open_backend`, or a part of it.
using OpenBackend = Result<backends::Plugin> (*)(std::string_view spelling);

// Runs the host process, in which every backend is judged: `certile host …`.  The runner starts it before
// planning, so that neither the host nor its children ever hold an expected value.  The host loads no
// backend; for each requested start it forks a child that does, captures the child's output, and records how
// the child ends.  The arguments are those of `host_arguments`; descriptors 3, 4 and 5 are the requests'
// memory, the replies' memory and a socket: 's' starts a child, 'k' kills it, and the end of the socket ends
// the host.
int run_host(int argument_count, char** arguments, OpenBackend open);

// The shared note of the files that this process opens to write to; null before run_host() has mapped it.
extern WrittenFiles* written_files;

// Runs this program as one of certile's internal processes if its arguments ask for one: the host of a
// backend of this tree, or the keeper of a worker.  Returns the exit code; nothing for other arguments.
std::optional<int> run_as_own_process(int argument_count, char** arguments);

// The descriptors that the host gets from the runner.
inline constexpr int host_requests = 3, host_replies = 4, host_socket = 5;
// The descriptor of the file that the host is executed from, if that is a copy in memory.
inline constexpr int host_own_program = 6;

}  // namespace certile::conformance
