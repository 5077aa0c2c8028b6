#include "conformance/cli/described_run.hpp"

#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/text/built_from.hpp"
#include "conformance/text/version.hpp"

namespace certile::conformance {

RunHeader described_run(const std::string& spelling, Started started, const JudgedFiles& files,
                        const Plan& plan, const RunOptions& run, const CertifyOptions& options) {
  Claim& claim = *started.claim;
  RunHeader header;
  header.certile_version = version;
  header.certile_commit = built_from().commit;
  header.certile_dirty = built_from().dirty;
  header.environments = {this_environment()};
  header.spelling = spelling;
  header.backend_digest = files.digest(claim);
  if (backends::worker_command(spelling)) header.parts = files.parts();
  header.parts.insert(header.parts.end(), claim.parts.begin(), claim.parts.end());
  header.claim = std::move(claim);
  header.door = started.door;
  header.options = options.plan;
  header.level = options.level;
  header.plan_digest = plan.digest;
  header.corpora = plan.corpora;
  header.planned = static_cast<std::int64_t>(plan.cases.size());
  header.filtered = plan.filtered;
  header.before_budget = plan.before_budget;
  header.isolation = isolation_layers(run.isolate);
  header.list_pages();
  return header;
}

}  // namespace certile::conformance
