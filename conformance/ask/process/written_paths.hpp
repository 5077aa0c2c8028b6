#pragma once
#include <mutex>
#include <set>
#include <string>

#include "conformance/ask/wire/control_block.hpp"

namespace certile::conformance {

// The paths that the processes of one run opened to write to. Several threads may share one.
class WrittenPaths {
 public:
  // Adds those of a process, whose private folder, if it has one, is called $HOME.
  void add(const WrittenFiles& files, const std::string& private_folder);
  // Returns "$HOME/cache, /tmp/table and 2 more" of the paths that were opened, or of those that were
  // refused; nothing for none.
  std::string in_words(bool refused) const;

 private:
  mutable std::mutex mutex_;
  std::set<std::string> lines_;
};

}  // namespace certile::conformance
