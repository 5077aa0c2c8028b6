#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "backends/plugin/backend.hpp"

namespace certile {

// A backend that computes in a process of its own.  Asking it costs a message, so it may be told what comes
// next; and its process can end, which is nobody else's end.
class RemoteBackend : public Backend {
 public:
  struct Upcoming {
    Call call;
    bool shape_only = false;       // `infer` alone will be asked; else `infer`, `run`, `run`
    bool alone = false;            // not to be asked together with others
    std::size_t output_bytes = 0;  // about so many come back
  };

  // The calls that follow, in this order.  They live until the next `look_ahead`.  `alive` is called while a
  // message about several of them is under way, whose deadline is the backend's own affair; where that
  // message fails, each of its calls is made by itself.
  virtual void look_ahead(std::span<const Upcoming> calls, std::function<void()> alive) = 0;
  // What is called until the next `turn_to` is this one of them.
  virtual void turn_to(std::size_t index) = 0;

  // How its process ended, as waitpid says it, where the last call was not answered for that reason; the next
  // call starts another process.
  virtual std::optional<int> ended() const = 0;
};

}  // namespace certile
