#pragma once

namespace certile::conformance {

// Ends this process as another one ended, whose status is in waitpid's format.  The first process of a
// namespace cannot end by a signal, and ends with the exit code that a shell gives then.
[[noreturn]] void end_like(int wait_status) noexcept;

}  // namespace certile::conformance
