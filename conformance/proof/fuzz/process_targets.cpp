#include "conformance/proof/fuzz/process_targets.hpp"

#include <optional>
#include <string>
#include <vector>

#include "backends/worker/calls.hpp"
#include "backends/worker/message.hpp"
#include "conformance/ask/observe.hpp"
#include "conformance/ask/wire/request.hpp"
#include "conformance/ask/wire/wire.hpp"
#include "conformance/judge/expectation.hpp"
#include "conformance/judge/judge.hpp"
#include "conformance/plan/plan.hpp"

namespace certile::conformance {
namespace {

// Returns the output of `write` for a value that was read from `input`.
template <class Write>
std::vector<std::byte> written(std::span<const std::byte> input, Write&& write) {
  // No value is longer than its input, except texts, of which only a part is written.
  std::vector<std::byte> buffer(2 * input.size() + 4096);
  WireWriter writer(buffer);
  write(writer);
  insist(writer.fits(), "what was read is longer than what it was read from");
  buffer.resize(writer.used());
  return buffer;
}

// Reads, writes, reads and writes again: both outputs are the same.
template <class Read, class Write>
void insist_is_steady(std::span<const std::byte> input, Read&& read, Write&& write) {
  WireReader reader(input);
  const auto value = read(reader);
  insist(reader.used() <= input.size(), "it read behind the end");
  if (!value) return;
  const auto once = written(input, [&](WireWriter& writer) { write(writer, *value); });
  WireReader again(once);
  const auto same = read(again);
  insist(same && again.used() == once.size(), "what was written cannot be read");
  const auto twice = written(once, [&](WireWriter& writer) { write(writer, *same); });
  insist(once == twice, "what was read changes by being written");
}

// The cases of every kind of answer, with what a judge needs for them.
struct Asked {
  PlannedCase planned;
  Expectation expected;
  Request request;
};

const std::vector<Asked>& asked_cases() {
  static const std::vector<Asked> cases = [] {
    std::vector<Asked> all;
    for (const char* literal : {"openvino-tile-1 f32[2] x i64{2,2}", "onnx-tile-13 string[3] x i64{2}",
                                "openvino-tile-1 i4[3] x i64{2}", "onnx-tile-13 f32[2] x i64{-1}",
                                "openvino-tile-1 u8[0,3] x i64{2,1}", "onnx-tile-13 f32[2] x i64{2} @infer",
                                "onnx-tile-13 u8[2] x i64{2} @threads=2"}) {
      auto planned = parse_planned_case(literal);
      insist(planned.operator bool(), literal);
      const Case question = planned->question();
      auto expected = expect(question);
      insist(expected.operator bool(), literal);
      Request request = make_request(question, *expected);
      all.push_back({*std::move(planned), *std::move(expected), std::move(request)});
    }
    return all;
  }();
  return cases;
}

Claim claim_of_everything() {
  Claim claim;
  claim.name = "fuzzed";
  claim.definitions = all_definitions();
  claim.types = TypeSet::all();
  claim.repeats_types = claim.types;
  return claim;
}

}  // namespace

void fuzz_request(std::span<const std::byte> input) {
  insist_is_steady(input, read_request,
                   [](WireWriter& writer, const Request& request) { write_request(writer, request, false); });
}

// Takes the case from the first byte, and judges the rest as a child's reply.
void fuzz_reply(std::span<const std::byte> input) {
  if (input.empty()) return;
  const auto& cases = asked_cases();
  const Asked& asked = cases[std::to_integer<std::size_t>(input.front()) % cases.size()];
  const auto bytes = input.subspan(1);
  insist_is_steady(bytes, read_reply, write_reply);
  WireReader reader(bytes);
  RawAnswer answer;
  answer.reply = read_reply(reader);
  if (!answer.reply) return;
  static const Claim claim = claim_of_everything();
  const Case question = asked.planned.question();
  const Reply reply = *answer.reply;
  const Observation seen = observe(question, asked.request, answer, 1000);
  const Record record = judge({question, asked.planned.literal, asked.planned.cites}, claim, shared_memory,
                              seen, asked.expected);
  const auto* due = std::get_if<Answer>(&asked.expected);
  if (record.now().verdict != Verdict::pass || due == nullptr || due->tensors.empty()) return;
  // A pass means that the right bytes arrived, from one side of the memory or from both.
  int right = 0;
  for (const int side : {0, 1}) {
    if (reply.runs[side].end == Status::not_called) continue;
    const auto outputs = outputs_of_side(asked.request, reply, side);
    insist(outputs && *outputs == due->tensors, "it passed with a wrong output");
    ++right;
  }
  insist(right > 0, "it passed without an output");
}

void fuzz_claim(std::span<const std::byte> input) {
  insist_is_steady(input, read_claim, write_claim);
}

void fuzz_message(std::span<const std::byte> input) {
  const auto message = backends::Message::read(input);
  if (!message) return insist(!message.error().what.empty(), "an error without words");
  for (const char* name : {"out", "data", "repeats", "axis", "nanoseconds"}) {
    if (!message->has_tensor(name)) continue;
    const auto tensor = message->tensor(name);
    if (!tensor) continue;
    const auto count = element_count(tensor->shape);
    insist(count.has_value(), "a tensor whose elements cannot be counted");
    insist(tensor->bytes.size() <= input.size(), "a tensor that is larger than its message");
  }
  static_cast<void>(backends::read_hello(*message));
  if (const std::string* shape = message->word("shape"))
    if (const auto read = backends::read_shape_words(*shape))
      insist(backends::read_shape_words(backends::shape_words(*read)) == read,
             "a shape changes by being written");
}

}  // namespace certile::conformance
