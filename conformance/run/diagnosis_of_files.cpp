#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/registry/registry.hpp"
#include "conformance/ask/sandbox/fresh_folder.hpp"
#include "conformance/ask/sandbox/private_folder.hpp"
#include "conformance/run/diagnosis.hpp"
#include "conformance/text/printable.hpp"
#include "reference/spec/pages.hpp"

// Explains failures by files that earlier calls wrote.

namespace certile::conformance {
namespace {

// Returns ": $TMPDIR/cache and 2 more"; nothing for no file.
std::string in_words(const std::vector<std::string>& files) {
  if (files.empty()) return {};
  const std::string more = files.size() == 1 ? "" : " and " + std::to_string(files.size() - 1) + " more";
  return ": " + printable(files.front()) + more;
}

}  // namespace

// Asks the first failure of each clause where no file is left of other calls, and all once one depended on
// them, because each takes a process with a host.
Result<std::optional<Amendment>> Diagnosis::explain_by_files(const Judged& alone) {
  const std::optional<Amendment> nothing;
  const Finding& finding = alone.record.judged;
  const bool is_first = asked_without_files_.emplace(finding.charged).second;
  if (finding.fault == Fault::timeout || backends::worker_command(options_.spelling)) return nothing;
  if (!is_first && !depends_on_files_) return nothing;
  const auto folder = PrivateFolder::create();
  if (!folder) return nothing;
  IsolateOptions options = options_;
  options.fresh_folder = (*folder)->path();
  auto session = Session::open(options);
  if (!session) return nothing;  // it may need a file that is not here
  Judged fresh;
  session->listen([&fresh](Judged judged) { fresh = std::move(judged); });
  if (auto asked = session->ask(*alone.planned); !asked) return asked.error();
  if (auto finished = session->finish(); !finished) return finished.error();
  if (fresh.record.judged.verdict != Verdict::pass) return nothing;
  // A call that wrote none may have missed what else is not there; in a sandbox, nothing else is missing.
  const std::vector<std::string> files = files_written_in(options.fresh_folder);
  if (files.empty() && !options_.sandbox) return nothing;
  // Chance may have decided until now.
  auto again = ask_alone(*alone.planned);
  if (!again) return again.error();
  if (again->record.judged.verdict != Verdict::fail) return nothing;
  depends_on_files_ = true;
  Amendment amendment = judged_again(*again, session_->claim(), session_->door());
  amendment.words = "it depends on files that earlier calls wrote" + in_words(files) + "\n" + amendment.words;
  // [CT-STEADY] nothing but what earlier calls left on a disk differs
  amendment.fault = Fault::unsteady;
  amendment.charged = text_of(clause_with(again->question.definition, Role::steady));
  amendment.reproduce.clear();  // no call reproduces it where the files are not
  return std::optional(std::move(amendment));
}

}  // namespace certile::conformance
