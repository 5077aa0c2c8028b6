#include "conformance/ask/asker.hpp"

#include <optional>
#include <utility>

#include "backends/registry/registry.hpp"
#include "conformance/ask/observe.hpp"
#include "conformance/ask/process/isolate.hpp"
#include "conformance/ask/worker_asker.hpp"
#include "conformance/judge/difference.hpp"
#include "conformance/judge/failure_evidence.hpp"

namespace certile::conformance {

Result<Reply> Asker::ask_plainly(const Request& request, int time_limit) {
  std::optional<RawAnswer> answer;
  listen([&answer](RawAnswer given) { answer = std::move(given); });
  set_time_limit(time_limit);
  const auto submitted = submit(request);
  if (!submitted) return submitted.error();
  if (!*submitted) return Error{Error::Code::io, "certile has no room for the inputs of this call"};
  if (const auto finished = finish(); !finished) return finished.error();
  if (!answer) return Error{Error::Code::io, "it was stopped"};
  if (!answer->reply) {
    const Outcome end = observe_end(answer->end, answer->diagnostics, time_limit).outcome;
    const bool is_late = std::holds_alternative<TimedOut>(end) || std::holds_alternative<NotAsked>(end);
    return Error{is_late ? Error::Code::io : Error::Code::backend_failed, message_of(end)};
  }
  Reply& reply = *answer->reply;
  const RunReply& run = reply.runs[0];
  if (reply.not_possible)
    return Error{Error::Code::io,
                 reply.message.empty() ? "certile has no memory for this call" : reply.message};
  if (run.end == Status::not_called) return Error{backends::code_of(reply.inferred), reply.message};
  if (run.end != Status::ok) return Error{backends::code_of(run.end), run.message};
  if (!run.message.empty()) return Error{Error::Code::backend_failed, run.message};
  return std::move(reply);
}

Result<Timing> Asker::time(const Request& request, int time_limit) {
  const auto reply = ask_plainly(request, time_limit);
  if (!reply) return reply.error();
  return reply->timing;
}

Result<std::vector<std::byte>> Asker::part_of_output(const Request& request, int time_limit) {
  auto reply = ask_plainly(request, time_limit);
  if (!reply) return reply.error();
  if (reply->runs[0].outputs.empty()) return std::vector<std::byte>{};
  return std::move(reply->runs[0].outputs.front());
}

Result<std::unique_ptr<Asker>> open_asker(const IsolateOptions& options) {
  if (backends::worker_command(options.spelling)) return WorkerAsker::start(options);
  auto isolate = Isolate::start(options);
  if (!isolate) return isolate.error();
  return std::unique_ptr<Asker>(*std::move(isolate));
}

}  // namespace certile::conformance
