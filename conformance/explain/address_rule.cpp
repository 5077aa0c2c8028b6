#include "conformance/explain/address_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

constexpr int period = 64;     // of the offsets that a literal has
constexpr int least_step = 4;  // each offset takes a fresh process

}  // namespace

std::string words_for_offsets(const std::vector<bool>& fails, int step) {
  const auto is_where = [&](const auto& holds) {
    for (std::size_t index = 0; index < fails.size(); ++index)
      if (fails[index] != holds(static_cast<int>(index) * step)) return false;
    return true;
  };
  const auto failing = std::ranges::count(fails, true);
  if (failing == 0 || failing == std::ssize(fails)) return {};
  for (int multiple = 2 * step; multiple <= period; multiple *= 2) {
    if (is_where([=](int offset) { return offset % multiple != 0; }))
      return fmt::format("where the buffers are not aligned to {} bytes", multiple);
    for (int rest = 0; rest < multiple; rest += step)
      if (is_where([=](int offset) { return offset % multiple == rest; }))
        return rest == 0 ? fmt::format("where the buffers are aligned to {} bytes", multiple)
                         : fmt::format("where the buffers begin {} after a multiple of {}",
                                       counted(rest, "byte"), multiple);
  }
  return {};
}

std::string failing_addresses(const Case& question, Diagnosis& asker) {
  const int step = std::max(bits(question.data.type()) / 8, least_step);
  std::vector<bool> fails;
  for (int offset = 0; offset < period; offset += step) {
    Case moved = question;
    moved.placement = {};
    moved.placement.offset = offset;
    const PlannedCase planned = planned_case(moved);
    const auto judged = asker.ask_in_order({&planned});
    if (!judged || judged->record.judged.verdict == Verdict::not_run) return {};
    fails.push_back(judged->record.judged.verdict == Verdict::fail);
  }
  return words_for_offsets(fails, step);
}

}  // namespace certile::conformance
