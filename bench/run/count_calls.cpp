#include "bench/run/count_calls.hpp"

#include <array>
#include <cstring>
#include <functional>
#include <ostream>

#include "backends/plugin/status.hpp"
#include "backends/registry/registry.hpp"
#include "backends/shape/shape_rules.hpp"
#include "backends/shape/tile_plan.hpp"
#include "bench/timing/instructions.hpp"
#include "conformance/text/printable.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/case.hpp"
#include "reference/values/fill.hpp"

namespace certile::bench {
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

Result<std::int64_t> count_calls(Run run, void* self, const certile_call& call, certile_tensor& out) {
  std::array<char, 256> message{};
  certile_text why{sizeof why, message.size(), message.data()};
  return count_instructions([&] { static_cast<void>(run(self, &call, &out, &why)); });
}

// Returns the instructions of one call of this function, without those of its caller.
Result<std::int64_t> count_without_caller(Run run, void* self, const certile_call& call,
                                          certile_tensor& out) {
  const auto called = count_calls(run, self, call, out);
  if (!called) return called.error();
  const auto nothing = count_calls(run_nothing, nullptr, call, out);
  if (!nothing) return nothing.error();
  return *called - *nothing;
}

// Returns the instructions of one call of a backend, after a call that succeeded; or of the rules alone.
Result<std::int64_t> count_backend(const std::string& spelling, const certile_call& call,
                                   certile_tensor& out) {
  if (spelling == "rules") return count_without_caller(run_rules, nullptr, call, out);
  const auto backend = backends::open_backend(spelling);
  if (!backend) return backend.error();
  if (const backends::Ran first = backend->run(call, out); first.status != backends::Status::ok)
    return Error{Error::Code::backend_failed, spelling + ": " + first.message};
  return count_without_caller(backend->table().run, backend->table().self, call, out);
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
