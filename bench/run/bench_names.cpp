#include "bench/run/bench_names.hpp"

#include <array>
#include <utility>

namespace certile::bench {
namespace {

constexpr std::array<std::pair<Probe, std::string_view>, 9> probe_names = {{
    {Probe::fill, "fill"},
    {Probe::fill_non_temporal, "fill-non-temporal"},
    {Probe::fill_string, "fill-string"},
    {Probe::memset, "memset"},
    {Probe::copy, "copy"},
    {Probe::copy_non_temporal, "copy-non-temporal"},
    {Probe::copy_string, "copy-string"},
    {Probe::memcpy, "memcpy"},
    {Probe::call, "call"},
}};

template <class Thing>
const Rounds* rounds_in(const Thing& thing, Temperature temperature) noexcept {
  const std::optional<Rounds>& rounds = temperature == Temperature::hot ? thing.hot : thing.cold;
  return rounds && !rounds->nanoseconds.empty() ? &*rounds : nullptr;
}

}  // namespace

std::string_view name(Temperature temperature) noexcept {
  return temperature == Temperature::hot ? "hot" : "cold";
}

std::string_view name(Probe probe) noexcept {
  for (const auto& [candidate, words] : probe_names) {
    if (candidate == probe) return words;
  }
  return "";
}

const Rounds* rounds_of(const Subject& subject, Temperature temperature) noexcept {
  return rounds_in(subject, temperature);
}

const Rounds* rounds_of(const Limit& limit, Temperature temperature) noexcept {
  return rounds_in(limit, temperature);
}

}  // namespace certile::bench
