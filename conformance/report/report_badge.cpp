#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>  // IWYU pragma: keep

#include "conformance/report/report.hpp"
#include "conformance/text/output_file.hpp"
#include "conformance/text/printable.hpp"

namespace certile::conformance {
namespace {

struct Look {
  Summary::Conformance conformance;
  const char* message;
  const char* colour;
};
// From the gravest on: of several runs, the badge shows the first of these.
constexpr std::array looks{
    Look{Summary::Conformance::none, "not conformant", "red"},
    Look{Summary::Conformance::incomplete, "not finished", "orange"},
    Look{Summary::Conformance::nothing_run, "nothing run", "lightgrey"},
    Look{Summary::Conformance::partial, "a part was run", "lightgrey"},
    Look{Summary::Conformance::text, "conformant to the text", "yellowgreen"},
    Look{Summary::Conformance::full, "conformant", "brightgreen"},
};

const Look& look_of(const Summary& summary) {
  using enum Summary::Conformance;
  // At the level full, a run that only the text accepts has failed.
  const bool is_failure = summary.conformance() == text && summary.exit_code() != 0;
  return *std::ranges::find(looks, is_failure ? none : summary.conformance(), &Look::conformance);
}

}  // namespace

Result<Done> write_badge(const std::string& path, const std::vector<const Summary*>& summaries) {
  const Summary& gravest = **std::ranges::min_element(
      summaries, {}, [](const Summary* each) { return &look_of(*each) - looks.data(); });
  const Look& look = look_of(gravest);
  std::string message = look.message;
  if (summaries.size() > 1 && look.conformance != Summary::Conformance::full)
    message = printable_name(gravest.header().claim.name) + ": " + message;
  const nlohmann::ordered_json badge = {
      {"schemaVersion", 1},
      {"label", "Tile"},
      {"message", message + " (" + std::string(name(gravest.header().options.tier)) + ")"},
      {"color", look.colour}};
  return write_whole_file(path, badge.dump() + "\n");
}

}  // namespace certile::conformance
