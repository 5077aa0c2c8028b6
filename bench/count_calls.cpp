#include "bench/count_calls.hpp"

#include <cstring>

#include "backends/registry.hpp"
#include "conformance/printable.hpp"
#include "reference/case.hpp"

// Callgrind is told to collect inside these two alone; so they must not be inlined, and their names not
// mangled.
extern "C" {

__attribute__((noinline)) bool certile_counted_calls(certile::Backend& backend, const certile::Call& call,
                                                     certile::MutableTensorView out, std::int64_t calls) {
  bool worked = true;
  for (std::int64_t done = 0; done < calls; ++done)
    worked = static_cast<bool>(backend.run(call, out)) && worked;
  return worked;
}

__attribute__((noinline)) void certile_counted_memsets(std::byte* to, std::size_t bytes, std::int64_t calls) {
  for (std::int64_t done = 0; done < calls; ++done) {
    std::memset(to, static_cast<int>(done | 1), bytes);
    asm volatile("" : : "r"(to) : "memory");  // what was written counts as read
  }
}
}

namespace certile {
namespace {

int complain(std::ostream& error, const std::string& sentence) {
  error << "certile-bench: " << printable(sentence) << '\n';
  return 2;
}

}  // namespace

int count_command(const std::string& spelling, const std::string& literal, std::int64_t calls,
                  std::ostream& out, std::ostream& error) {
  const auto question = parse_case(literal);
  if (!question) return complain(error, question.error().what);
  const CallTensors tensors = make_call(*question);
  const auto scalar = open_backend("scalar");
  if (!scalar) return complain(error, scalar.error().what);
  const auto shape = (*scalar)->infer(tensors.call());
  if (!shape) return complain(error, shape.error().what);
  Tensor output(question->data.type, *shape);
  if (spelling == "memset") {
    const auto bytes = output.mutable_view().bytes;
    certile_counted_memsets(bytes.data(), bytes.size(), calls);
    out << "memset " << calls << ' ' << to_string(*question) << '\n';
    return 0;
  }
  const auto backend = open_backend(spelling);
  if (!backend) return complain(error, backend.error().what);
  const Call call = tensors.call();
  // What happens once, at the first call, is no part of a call.
  if (const auto first = (*backend)->run(call, output.mutable_view()); !first)
    return complain(error, first.error().what);
  if (!certile_counted_calls(**backend, call, output.mutable_view(), calls))
    return complain(error, spelling + " failed after it had worked");
  out << printable(spelling) << ' ' << calls << ' ' << to_string(*question) << '\n';
  return 0;
}

}  // namespace certile
