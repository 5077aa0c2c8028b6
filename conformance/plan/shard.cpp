#include "conformance/plan/shard.hpp"

#include <charconv>
#include <cstdint>

#include "conformance/text/digest.hpp"

namespace certile::conformance {
namespace {

// Reads a whole number of decimal digits.
std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const char* const begin = text.begin();
  const char* const end = text.end();
  const auto read = std::from_chars(begin, end, number);
  if (text.empty() || text.front() == '-' || read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

}  // namespace

bool Shard::has(std::string_view literal) const {
  return owner_of(literal, of) == index;
}

int owner_of(std::string_view literal, int shards) {
  if (shards == 1) return 1;
  const std::string id = sha256_hex(literal).substr(0, 16);
  std::uint64_t number = 0;
  std::from_chars(id.data(), id.data() + id.size(), number, 16);
  return static_cast<int>(number % static_cast<std::uint64_t>(shards)) + 1;
}

bool Shard::has_place(std::size_t place) const noexcept {
  return place % static_cast<std::size_t>(of) == static_cast<std::size_t>(index - 1);
}

std::string to_string(const Shard& shard) {
  return "shard " + std::to_string(shard.index) + " of " + std::to_string(shard.of);
}

Result<Shard> parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto index = number_in(text.substr(0, slash)), of = number_in(text.substr(slash + 1));
    if (index && of && *index >= 1 && *index <= *of && *of <= Shard::most) return Shard{*index, *of};
  }
  return Error{Error::Code::bad_literal,
               "'" + std::string(text) +
                   "' is no shard: 2/7 is the second of seven, and 1/7 the first; at most " +
                   std::to_string(Shard::most)};
}

Share share_of(const Plan& plan, const std::optional<Shard>& shard) {
  Share share;
  for (const PlannedCase& planned : plan.cases)
    if (!shard || shard->has(planned.literal)) share.push_back(&planned);
  return share;
}

}  // namespace certile::conformance
