#pragma once
#include <optional>
#include <string_view>

#include "backends/plugin/plugin.hpp"
#include "reference/values/result.hpp"

namespace certile {

// Opens what is to be judged: `open_backend`, or a part of what it can do.
using OpenBackend = Result<Plugin> (*)(std::string_view spelling);

// The host process, in which everything that is judged runs: `certile host …`, started by the runner before
// it plans anything, so that neither it nor its children ever hold an expected value.  It loads no backend
// itself; for each start that it is asked for it forks a child that does, captures what the child prints, and
// notes how it ends.  The arguments are those that `host_arguments` makes; descriptors 3, 4 and 5 are the
// requests' memory, the replies' memory and a socket: 's' starts a child, 'k' kills it, and its end ends the
// host.
int run_host(int argument_count, char** arguments, OpenBackend open);

// Runs this program as one of certile's own processes, where its words say so: the host of a backend of this
// tree, or the keeper of a worker.  Returns its exit code; nothing where the words are others.
std::optional<int> run_as_own_process(int argument_count, char** arguments);

// Descriptors that the runner hands to the host.
inline constexpr int host_requests = 3, host_replies = 4, host_socket = 5;

}  // namespace certile
