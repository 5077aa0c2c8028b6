#include "conformance/judge/small_output.hpp"

#include "reference/values/tensor_text.hpp"

namespace certile::conformance {
namespace {

// The most elements and characters of an output in a record, which with them is about twice as long.
constexpr std::int64_t most_elements = 64;
constexpr std::size_t most_characters = 1024;

}  // namespace

std::optional<SmallOutput> small_output(const Observation& seen) {
  const auto* produced = std::get_if<Produced>(&seen.outcome);
  if (produced == nullptr || produced->outputs.size() != 1) return std::nullopt;
  Tensor output = produced->outputs.front();
  if (output.count() == 0 || output.count() > most_elements || output.bytes().empty()) return std::nullopt;
  SmallOutput small;
  if (!seen.unwritten.empty())
    for (std::size_t index = 0; index < seen.unwritten.front().size(); ++index)
      if (seen.unwritten.front()[index]) small.unwritten.push_back(static_cast<std::int64_t>(index));
  const bool is_string = output.type() == ElementType::string;
  if (is_string && !small.unwritten.empty()) return std::nullopt;
  // What was in an element before the call is no answer, and differs between runs.
  for (const std::int64_t index : small.unwritten)
    output.set_element(index, {});
  small.elements = to_string(output);
  if (small.elements.size() > most_characters) return std::nullopt;
  return small;
}

}  // namespace certile::conformance
