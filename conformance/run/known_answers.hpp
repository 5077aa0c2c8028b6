#pragma once
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "conformance/judge/expectation.hpp"

namespace certile::conformance {

// A store of what the oracles answered, for many backends that are asked the same cases in one process.
class KnownAnswers {
 public:
  // Returns what is expected of the case with this literal; null if it is not stored.
  std::shared_ptr<const Expectation> find(const std::string& literal) const;
  // Stores an answer, unless it is large or the store is full; returns it either way.
  std::shared_ptr<const Expectation> keep(const std::string& literal, Expectation expected);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const Expectation>> known_;
  std::size_t bytes_ = 0;
};

}  // namespace certile::conformance
