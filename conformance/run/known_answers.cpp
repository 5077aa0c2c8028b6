#include "conformance/run/known_answers.hpp"

#include <utility>
#include <variant>

namespace certile::conformance {
namespace {

constexpr std::size_t largest = std::size_t{1} << 20, most_bytes = std::size_t{320} << 20;
constexpr std::size_t around = 512;  // about what an answer takes besides its literal and its elements

std::size_t bytes_of(const Expectation& expected) {
  std::size_t bytes = 0;
  if (const auto* answer = std::get_if<Answer>(&expected))
    for (const Tensor& tensor : answer->tensors)
      bytes += tensor.bytes().size();
  return bytes;
}

}  // namespace

std::shared_ptr<const Expectation> KnownAnswers::find(const std::string& literal) const {
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(literal);
  return known == known_.end() ? nullptr : known->second;
}

std::shared_ptr<const Expectation> KnownAnswers::keep(const std::string& literal, Expectation expected) {
  const std::size_t bytes = bytes_of(expected), all = bytes + literal.size() + around;
  auto kept = std::make_shared<const Expectation>(std::move(expected));
  const std::lock_guard lock(mutex_);
  if (bytes > largest || bytes_ + all > most_bytes) return kept;
  if (known_.emplace(literal, kept).second) bytes_ += all;
  return kept;
}

}  // namespace certile::conformance
