#include "bench/run/count_calls.hpp"

#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>  // IWYU pragma: keep, for user_regs_struct
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <optional>
#include <ostream>
#include <span>

#include "backends/plugin/status.hpp"
#include "backends/registry/registry.hpp"
#include "backends/shape/shape_rules.hpp"
#include "backends/shape/tile_plan.hpp"
#include "conformance/text/printable.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/case.hpp"
#include "reference/values/fill.hpp"

namespace certile::bench {
namespace {

Error untraceable(const std::string& what) {
  return {Error::Code::io, "instructions cannot be counted: " + what};
}

// A child that is traced from its first stop on, and killed at the end.
class Traced {
 public:
  // Starts a child that calls `body` once, stops, calls `body` again, and stops for the last time.
  explicit Traced(const std::function<void()>& body) : child_(fork()) {
    if (child_ != 0) return;
    body();  // what happens only once, such as symbols that are bound
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(1);
    raise(SIGSTOP);
    body();
    raise(SIGSTOP);
    _exit(0);
  }
  ~Traced() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Traced(const Traced&) = delete;
  Traced& operator=(const Traced&) = delete;

  bool is_running() const noexcept { return child_ > 0; }
  // Waits for the child to stop; returns the signal that stopped it, or nothing if it has ended.
  std::optional<int> wait_for_stop() noexcept {
    int status = 0;
    while (waitpid(child_, &status, 0) < 0)
      if (errno != EINTR) return std::nullopt;
    if (WIFSTOPPED(status)) return WSTOPSIG(status);
    child_ = -1;
    return std::nullopt;
  }
  bool step() const noexcept { return ptrace(PTRACE_SINGLESTEP, child_, nullptr, nullptr) == 0; }
  // Returns where the next instruction is, or 0 where a step is always a whole instruction.
  unsigned long place() const noexcept {
#if defined(__x86_64__)
    return static_cast<unsigned long>(
        ptrace(PTRACE_PEEKUSER, child_, reinterpret_cast<void*>(offsetof(user, regs.rip)), nullptr));
#else
    return 0;
#endif
  }

 private:
  pid_t child_;
};

// Counts the steps between the two stops, which include those of the second raise().
Result<std::int64_t> count_steps(const std::function<void()>& body) {
  Traced child(body);
  if (!child.is_running()) return untraceable("no process can be started");
  if (child.wait_for_stop() != SIGSTOP) return untraceable("a process may not be traced here");
  std::int64_t steps = 0;
  for (unsigned long before = 0;;) {
    if (!child.step()) return untraceable("a process cannot be stepped here");
    const auto stop = child.wait_for_stop();
    if (stop == SIGSTOP) return steps;
    if (stop != SIGTRAP) return untraceable("the body did not end");
    // A string instruction stops after each of its steps, in the same place.
    const unsigned long place = child.place();
    if (place == 0 || place != before) ++steps;
    before = place;
  }
}

}  // namespace

Result<std::int64_t> count_instructions(const std::function<void()>& body) {
  const auto with = count_steps(body);
  if (!with) return with.error();
  const auto without = count_steps([] {});
  if (!without) return without.error();
  return *with - *without;
}

namespace {

int complain(std::ostream& error, const std::string& sentence) {
  error << "certile-bench: " << conformance::printable(sentence) << '\n';
  return 2;
}

using Run = std::int32_t (*)(void*, const certile_call*, certile_tensor*, certile_text*);

// Does nothing; a call of this is the caller's part of every call.
std::int32_t run_nothing(void*, const certile_call*, certile_tensor*, certile_text*) {
  return CERTILE_OK;
}

// Rules and plans the call, as every built-in backend does before it moves anything.
std::int32_t run_rules(void*, const certile_call* call, certile_tensor* out, certile_text*) {
  backends::TilePlan plan;
  if (backends::plan_usual_call(*call, *out, plan)) return CERTILE_OK;
  return backends::plan_any_call(*call, *out, plan).status;
}

// Returns the instructions of one call of this function, without those of its caller.
Result<std::int64_t> count_calls(Run run, void* self, const certile_call& call, certile_tensor& out) {
  std::array<char, 256> message{};
  certile_text why{sizeof why, message.size(), message.data()};
  const auto count = [&](Run called) {
    return count_instructions([&] { static_cast<void>(called(self, &call, &out, &why)); });
  };
  const auto whole = count(run), caller = count(run_nothing);
  if (!whole || !caller) return (whole ? caller : whole).error();
  return *whole - *caller;
}

// Returns the instructions of one call of a backend, after a call that succeeded; or of the rules alone.
Result<std::int64_t> count_backend(const std::string& spelling, const certile_call& call,
                                   certile_tensor& out) {
  if (spelling == "rules") return count_calls(run_rules, nullptr, call, out);
  const auto backend = backends::open_backend(spelling);
  if (!backend) return backend.error();
  if (const backends::Ran first = backend->run(call, out); first.status != backends::Status::ok)
    return Error{Error::Code::backend_failed, spelling + ": " + first.message};
  return count_calls(backend->table().run, backend->table().self, call, out);
}

Result<std::int64_t> count_memset(std::span<std::byte> bytes) {
  return count_instructions([bytes] {
    std::memset(bytes.data(), 0x5a, bytes.size());
    asm volatile("" : : "r"(bytes.data()) : "memory");  // makes the compiler keep the writes
  });
}

}  // namespace

int count_command(std::vector<std::string> backends, std::vector<std::string> literals, std::ostream& out,
                  std::ostream& error) {
  if (backends.empty()) backends = {"memset", "rules", "simd", "scalar", "eigen", "xtensor"};
  if (literals.empty())
    literals = {"onnx-tile-13 f32[2,3,4] x i64{1,2,3}", "onnx-tile-13 f32[1] x i64{2}",
                "onnx-tile-13 f32[4,8] x i64{2,2}", "onnx-tile-13 i64[1,16] x i64{8,1}",
                "onnx-tile-13 u8[1,2,1,3,1,2,1,3] x i64{2,1,2,1,3,1,2,1}"};
  for (const std::string& literal : literals) {
    const auto question = parse_case(literal);
    if (!question) return complain(error, conformance::with_caret(question.error().what, literal));
    const Tensor data = data_of(*question);
    const auto shape = oracle::output_shape(*question);
    if (!shape) return complain(error, shape.error().what);
    Tensor output(data.type(), *shape);
    const backends::PluginCall call(*question, data);
    certile_tensor out_tensor = backends::c_tensor(output.mutable_view());
    for (const std::string& spelling : backends) {
      const auto count = spelling == "memset" ? count_memset(output.mutable_view().bytes)
                                              : count_backend(spelling, call, out_tensor);
      if (!count) return complain(error, count.error().what);
      out << conformance::printable(spelling) << ' ' << *count << ' ' << to_string(*question) << '\n';
    }
  }
  return 0;
}

}  // namespace certile::bench
