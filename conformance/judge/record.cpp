#include "conformance/judge/record.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace certile::conformance {
namespace {

// The names, in the order of the enumerations.
constexpr std::array<std::string_view, verdict_count> verdict_names = {
    "pass", "fail", "unsupported", "waived", "stale-waiver", "inconclusive", "not-run",
};
static_assert(verdict_names.size() == static_cast<std::size_t>(Verdict::not_run) + 1);
constexpr std::array<std::string_view, author_count> author_names = {"diagnosis", "closing", "waiver",
                                                                     "stopped"};
static_assert(author_names.size() == static_cast<std::size_t>(Amendment::By::stopped) + 1);

template <class Enumerator>
std::optional<Enumerator> named(const auto& names, std::string_view name) noexcept {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enumerator>(found - names.begin());
}

}  // namespace

std::string_view name(Verdict verdict) noexcept {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

std::optional<Verdict> verdict_named(std::string_view name) noexcept {
  return named<Verdict>(verdict_names, name);
}

std::string_view name(Amendment::By author) noexcept {
  return author_names[static_cast<std::size_t>(author)];
}

std::optional<Amendment::By> author_named(std::string_view name) noexcept {
  return named<Amendment::By>(author_names, name);
}

const Finding& Record::now() const noexcept {
  return amendments.empty() ? static_cast<const Finding&>(judged) : amendments.back();
}

const std::vector<std::string>& Record::reproduce() const noexcept {
  static const std::vector<std::string> none;
  const auto last = std::find_if(amendments.rbegin(), amendments.rend(),
                                 [](const Amendment& each) { return !each.reproduce.empty(); });
  return last == amendments.rend() ? none : last->reproduce;
}

bool Record::was_asked_again() const noexcept {
  const auto diagnosis = std::ranges::find(amendments, Amendment::By::diagnosis, &Amendment::by);
  return diagnosis != amendments.end() && !diagnosis->words.ends_with(not_asked_again);
}

void Record::annotate(Amendment::By author, const std::string& line) {
  Finding finding = now();
  finding.words += "\n" + line;
  amendments.push_back({std::move(finding), author});
}

}  // namespace certile::conformance
