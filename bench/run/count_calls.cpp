#include "bench/run/count_calls.hpp"

#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "backends/kernel/tile_elements.hpp"
#include "backends/plugin/plugin_call.hpp"
#include "backends/registry/registry.hpp"
#include "conformance/text/caret.hpp"
#include "conformance/text/printable.hpp"
#include "reference/oracle/promote.hpp"
#include "reference/values/case.hpp"
#include "reference/values/fill.hpp"

// Callgrind collects inside these alone, so they must not be inlined, nor their names mangled.
extern "C" {

__attribute__((noinline)) bool certile_counted_calls(const certile_plugin& table, const certile_call& call,
                                                     certile_tensor& out, certile_text& why,
                                                     std::int64_t calls) {
  bool worked = true;
  for (std::int64_t done = 0; done < calls; ++done)
    worked = table.run(table.self, &call, &out, &why) == CERTILE_OK && worked;
  return worked;
}

__attribute__((noinline)) void certile_counted_kernel_calls(std::span<const certile::backends::Axis> axes,
                                                            unsigned bits, const std::byte* from,
                                                            std::byte* to, std::int64_t calls) {
  const certile::kernel::ByteKernel& kernel = *certile::kernel::best_byte_kernel();
  for (std::int64_t done = 0; done < calls; ++done)
    certile::kernel::tile_elements(kernel, axes, bits, false, from, to);
}

__attribute__((noinline)) void certile_counted_memsets(std::byte* to, std::size_t bytes, std::int64_t calls) {
  for (std::int64_t done = 0; done < calls; ++done) {
    std::memset(to, static_cast<int>(done | 1), bytes);
    asm volatile("" : : "r"(to) : "memory");  // makes the compiler keep the writes
  }
}
}

namespace certile::bench {
namespace {

int complain(std::ostream& error, const std::string& sentence) {
  error << "certile-bench: " << conformance::printable(sentence) << '\n';
  return 2;
}

// Returns true if the spelling is `memset` or `kernel`.
bool count_without_a_backend(const std::string& spelling, const oracle::Promoted& tiling, TensorView data,
                             std::span<std::byte> to, std::int64_t calls) {
  if (spelling == "memset") {
    certile_counted_memsets(to.data(), to.size(), calls);
    return true;
  }
  if (spelling != "kernel" || kernel::best_byte_kernel() == nullptr || to.empty()) return false;
  std::vector<backends::Axis> axes;
  for (std::size_t axis = 0; axis < tiling.data.size(); ++axis)
    axes.push_back({tiling.data[axis], tiling.repeats[axis], tiling.output[axis]});
  certile_counted_kernel_calls(axes, static_cast<unsigned>(bits(data.type)), data.bytes.data(), to.data(),
                               calls);
  return true;
}

}  // namespace

int count_command(const std::string& spelling, const std::string& literal, std::int64_t calls,
                  std::ostream& out, std::ostream& error) {
  const auto question = parse_case(literal);
  if (!question) return complain(error, conformance::with_caret(question.error().what, literal));
  const Tensor data = data_of(*question);
  const auto tiling = oracle::settled_tiling(*question);
  if (!tiling) return complain(error, tiling.error().what);
  Tensor output(data.type(), tiling->output);
  if (count_without_a_backend(spelling, *tiling, data.view(), output.mutable_view().bytes, calls)) {
    out << spelling << ' ' << calls << ' ' << to_string(*question) << '\n';
    return 0;
  }
  const auto backend = backends::open_backend(spelling);
  if (!backend) return complain(error, backend.error().what);
  const backends::PluginCall call(*question, data);
  certile_tensor out_tensor = backends::c_tensor(output.mutable_view());
  // The first call is not counted, because of its one-time work.
  if (const backends::Ran first = backend->run(call, out_tensor); first.status != backends::Status::ok)
    return complain(error, first.message);
  std::array<char, 256> message{};
  certile_text why{sizeof why, message.size(), message.data()};
  if (!certile_counted_calls(backend->table(), call, out_tensor, why, calls))
    return complain(error, spelling + " failed after it had worked");
  out << conformance::printable(spelling) << ' ' << calls << ' ' << to_string(*question) << '\n';
  return 0;
}

}  // namespace certile::bench
