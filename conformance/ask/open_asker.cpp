#include "backends/registry/registry.hpp"
#include "conformance/ask/asker.hpp"
#include "conformance/ask/process/isolate.hpp"
#include "conformance/ask/worker_asker.hpp"

namespace certile::conformance {

Result<std::unique_ptr<Asker>> open_asker(const IsolateOptions& options) {
  if (backends::worker_command(options.spelling)) return WorkerAsker::start(options);
  auto isolate = Isolate::start(options);
  if (!isolate) return isolate.error();
  return std::unique_ptr<Asker>(*std::move(isolate));
}

}  // namespace certile::conformance
