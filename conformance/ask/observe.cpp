#include "conformance/ask/observe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <string>
#include <string_view>

#include "conformance/ask/rig/plain_caller.hpp"
#include "conformance/ask/rig/rig.hpp"
#include "conformance/judge/case_traits.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::conformance {

namespace {

using Bytes = std::span<const std::byte>;

bool is_unwritten_string(Bytes flat, std::size_t index) {
  std::uint64_t size = 0;
  if ((index + 1) * sizeof size > flat.size()) return false;
  std::memcpy(&size, flat.data() + index * sizeof size, sizeof size);
  return size == unwritten_string;
}

bool is_unwritten(Bytes first, Bytes second, std::size_t from, std::size_t size) {
  for (std::size_t at = from; at < from + size; ++at)
    if (first[at] == Rig::poison[0] && second[at] == Rig::poison[1]) return true;
  return false;
}

// Returns the bytes as a tensor, to read packed elements from it.
Tensor packed(ElementType type, const Shape& shape, Bytes bytes) {
  Tensor tensor(type, shape);
  std::ranges::copy(bytes, tensor.bytes().begin());
  return tensor;
}

// Returns the elements of `width` bytes that only the first run left as they were.  Such an element holds the
// pattern in every byte; it counts if all elements that the second run made otherwise do so, and if they have
// more bytes than hold the pattern by chance.
std::vector<bool> left_by_the_first(Bytes first, Bytes second, std::size_t width) {
  constexpr std::size_t least_bytes = 4;
  std::vector<bool> left(first.size() / width);
  std::size_t bytes = 0;
  for (std::size_t index = 0; index < left.size(); ++index) {
    const Bytes one = first.subspan(index * width, width);
    if (std::ranges::equal(one, second.subspan(index * width, width))) continue;
    if (std::ranges::count(one, Rig::poison[0]) != std::ssize(one)) return std::vector<bool>(left.size());
    left[index] = true;
    bytes += width;
  }
  return bytes < least_bytes ? std::vector<bool>(left.size()) : left;
}

std::vector<bool> unwritten_in(ElementType type, const Shape& shape, Bytes first, Bytes second) {
  const auto count = static_cast<std::size_t>(element_count(shape).value_or(0));
  std::vector<bool> unwritten(count);
  if (type == ElementType::string) {
    for (std::size_t index = 0; index < count; ++index)
      unwritten[index] = is_unwritten_string(first, index) || is_unwritten_string(second, index);
  } else if (const auto size = byte_size(type, element_count(shape).value_or(0));
             first.size() != size || second.size() != size) {
    return {};
  } else if (is_packed(type)) {
    // The patterns are opposite, so a bit that both runs left differs, and one that both wrote does not.
    const Tensor one = packed(type, shape, first), other = packed(type, shape, second);
    for (std::size_t index = 0; index < count; ++index) {
      const auto at = static_cast<std::int64_t>(index);
      unwritten[index] = one.element(at) != other.element(at);
    }
  } else {
    const auto width = static_cast<std::size_t>(bits(type) / 8);
    for (std::size_t index = 0; index < count; ++index)
      unwritten[index] = is_unwritten(first, second, index * width, width);
    if (std::ranges::find(unwritten, true) == unwritten.end())
      unwritten = left_by_the_first(first, second, width);
  }
  if (std::ranges::find(unwritten, true) == unwritten.end()) unwritten.clear();
  return unwritten;
}

}  // namespace

std::vector<std::vector<bool>> unwritten_elements(ElementType type, const Shape& shape, const Reply& reply) {
  std::vector<std::vector<bool>> all;
  const auto& first = reply.runs[0].outputs;
  const auto& second = reply.runs[1].outputs;
  for (std::size_t index = 0; index < first.size(); ++index)
    all.push_back(unwritten_in(type, shape, first[index], index < second.size() ? second[index] : Bytes{}));
  return all;
}

namespace {

constexpr std::size_t messages = 16 * 1024;  // bytes of a reply besides the outputs

// Returns the shape for the output if `run` is not expected: the data's, or the one that Tile's rule gives.
const Shape& shape_due(const Case& question, const Expectation& expected) {
  if (const auto* answer = std::get_if<Answer>(&expected)) return answer->shape;
  if (const auto* open = std::get_if<Unspecified>(&expected)) return open->shape;
  return question.data.shape();
}

Tensor strings_from(const Shape& shape, std::span<const std::byte> flat) {
  const auto count = static_cast<std::size_t>(element_count(shape).value_or(0));
  std::vector<std::string_view> strings;
  strings.reserve(std::min(count, flat.size()));
  std::size_t next = count * sizeof(std::uint64_t);
  for (std::size_t index = 0; index < count; ++index) {
    std::uint64_t size = unwritten_string;
    if ((index + 1) * sizeof size <= flat.size())
      std::memcpy(&size, flat.data() + index * sizeof size, sizeof size);
    if (size == unwritten_string || size > flat.size() - std::min(next, flat.size())) {
      strings.emplace_back(size == unwritten_string ? "(a view that was not written)"
                                                    : "(a view of absurd size)");
      continue;
    }
    strings.emplace_back(reinterpret_cast<const char*>(flat.data()) + next, static_cast<std::size_t>(size));
    next += static_cast<std::size_t>(size);
  }
  return Tensor::of_strings(shape, strings);
}

Tensor tensor_from(ElementType type, const Shape& shape, std::span<const std::byte> bytes) {
  if (type == ElementType::string) return strings_from(shape, bytes);
  Tensor tensor(type, shape);
  if (bytes.size() == tensor.bytes().size()) std::copy(bytes.begin(), bytes.end(), tensor.bytes().begin());
  return tensor;
}

// Returns the shape of the outputs in a reply: `infer`'s, else that of the request; a call that `infer`
// refused is made with the data's shape.
const Shape& output_shape_of(const Request& request, const Reply& reply) {
  if (reply.inferred == Status::ok) return reply.shape;
  if (reply.inferred == Status::rejected) return request.data.front().shape();
  return request.fallback_shape;
}

std::vector<Tensor> tensors_from(const Request& request, const Reply& reply, const RunReply& run) {
  std::vector<Tensor> outputs;
  for (const auto& bytes : run.outputs)
    outputs.push_back(tensor_from(request.data.front().type(), output_shape_of(request, reply), bytes));
  return outputs;
}

// Does the same with the bytes of the reply itself, because two copies of a large output may not fit.
std::vector<Tensor> taken_tensors(const Request& request, const Reply& reply, RunReply& run) {
  const Tensor& data = request.data.front();
  const Shape shape = output_shape_of(request, reply);
  const auto size = byte_size(data.type(), element_count(shape).value_or(0));
  std::vector<Tensor> outputs;
  for (auto& bytes : run.outputs)
    outputs.push_back(data.type() != ElementType::string && size == bytes.size()
                          ? Tensor::for_output_of(data, shape, std::move(bytes))
                          : tensor_from(data.type(), shape, bytes));
  run.outputs.clear();
  return outputs;
}

Outcome outcome_of(Status status, const std::string& message) {
  switch (status) {
    case Status::rejected:
      return Refused{message};
    case Status::unsupported:
      return Unsupported{message};
    case Status::no_memory:
      return Failed{true, message};
    case Status::failed:
      return Failed{false, message};
    default:
      return Produced{};
  }
}

enum class Comparison { same, unwritten, different };

// Compares the bytes of two runs, without padding bits.
Comparison compare_runs(ElementType type, std::int64_t count, std::span<const std::byte> first,
                        std::span<const std::byte> second) {
  if (first.size() != second.size()) return Comparison::different;
  Comparison found = Comparison::same;
  for (std::size_t index = 0; index < first.size(); ++index) {
    std::byte differing = first[index] ^ second[index];
    if (is_packed(type) && index + 1 == first.size()) differing &= used_bits_of_last_byte(type, count);
    if (differing == std::byte{0}) continue;
    const std::byte looked_at = is_packed(type) ? differing : std::byte{0xff};
    const bool poisoned = ((first[index] ^ Rig::poison[0]) & looked_at) == std::byte{0} &&
                          ((second[index] ^ Rig::poison[1]) & looked_at) == std::byte{0};
    // [CT-WRITE] in both runs this byte is unchanged since before the call
    if (poisoned) return Comparison::unwritten;
    found = Comparison::different;
  }
  return found;
}

bool has_unwritten_string(std::span<const std::byte> flat, std::int64_t count) {
  // The count belongs to a shape from the child, so there may be far fewer sizes.
  const std::size_t sizes = std::min(flat.size() / sizeof(std::uint64_t), static_cast<std::size_t>(count));
  for (std::size_t index = 0; index < sizes; ++index) {
    std::uint64_t size = 0;
    std::memcpy(&size, flat.data() + index * sizeof size, sizeof size);
    if (size == unwritten_string) return true;
  }
  return false;
}

Comparison compare_runs(const Request& request, const Reply& reply) {
  const RunReply& first = reply.runs[0];
  const RunReply& second = reply.runs[1];
  const std::int64_t count = element_count(output_shape_of(request, reply)).value_or(0);
  const ElementType type = request.data.front().type();
  for (std::size_t index = 0; index < first.outputs.size(); ++index) {
    if (first.unwritten || second.unwritten) return Comparison::unwritten;
    if (type == ElementType::string && has_unwritten_string(first.outputs[index], count))
      return Comparison::unwritten;
    if (second.like_first || second.end == Status::not_called) continue;
    if (index >= second.outputs.size()) return Comparison::different;
    const Comparison compared = compare_runs(type, count, first.outputs[index], second.outputs[index]);
    if (compared != Comparison::same) return compared;
  }
  return Comparison::same;
}

constexpr std::array<const char*, 6> operand_names{"data",   "repeats",         "axis",
                                                   "output", "strings' memory", "data's shape"};

std::string fault_words(const ChildEnd& end) {
  const std::string name = operand_names[end.operand];
  if (end.distance == 0) return "wrote to the " + name + ", which is read-only";
  const std::uint64_t far = end.distance < 0 ? ~static_cast<std::uint64_t>(end.distance) + 1
                                             : static_cast<std::uint64_t>(end.distance);
  // The call ended at the first byte outside, so how far it would have gone is not known.
  return std::string(end.fault == Fault::wrote_outside ? "wrote" : "read") + " at least " +
         std::to_string(far) + (far == 1 ? " byte " : " bytes ") +
         (end.distance < 0 ? "before the beginning" : "past the end") + " of the " + name;
}

// Returns what a signal, and the address of a memory fault, say about the instruction at which a call ended.
std::string instruction_words(const ChildEnd& end) {
  if (end.signal == SIGFPE) return "an integer was divided by zero, or its quotient has no room";
  if (end.signal == SIGILL) return "the processor does not have the instruction, or it is a trap";
  switch (end.cause) {
    case FaultCause::no_address:
      return "an instruction that needs an aligned address had another one, or one that no memory has";
    case FaultCause::null_pointer:
      return "a pointer was null";
    case FaultCause::index_of_32_bits:
      return "the address is that of the " + std::string(operand_names[end.operand]) +
             " and a multiple of 2^32 bytes, as of an index of 32 bits that wrapped around";
    default:
      return {};
  }
}

// Returns true if the rig may have written the answer: it fills only an expected shape.
bool is_sensible(const Request& request, const Reply& reply) {
  for (const RunReply& run : reply.runs)
    if (run.outputs.size() > request.data.size()) return false;
  const bool filled = reply.runs[0].end == Status::ok || reply.runs[1].end == Status::ok;
  if (!filled || reply.inferred != Status::ok) return true;
  if (!request.shape_digest) return reply.runs[0].outputs.empty() && reply.runs[1].outputs.empty();
  return reply.shape == request.fallback_shape;
}

}  // namespace

Observation observe_end(const ChildEnd& end, const std::string& diagnostics, int time_limit) {
  Observation seen;
  seen.diagnostics = diagnostics;
  if (end.timed_out) {
    seen.outcome = TimedOut{time_limit};
    return seen;
  }
  if (end.rig_timed_out) {
    seen.outcome =
        NotAsked{"certile took too long to lay out this call's memory, or to check its answer", true};
    return seen;
  }
  Crashed crashed{end.signal, end.exit_code, {}};
  if (end.unreadable) {
    crashed.message = "its process's reply is invalid: it wrote to memory that belongs to certile";
    seen.outcome = crashed;
    return seen;
  }
  if (end.host_ended) crashed.message = "it ended the process that watches over it";
  if (end.phase == Phase::idle) crashed.message = "between two calls";
  if (end.phase == Phase::infer) crashed.message = "in infer";
  if (end.phase == Phase::collect)
    crashed.message = "when its output was read: it is not there, or a string's view points nowhere";
  else if (const std::string words = instruction_words(end); !words.empty())
    crashed.message += (crashed.message.empty() ? "" : "; ") + words;
  seen.outcome = crashed;
  if (end.fault != Fault::none) {
    seen.rig.push_back(end.fault);
    seen.details = fault_words(end);
  }
  return seen;
}

namespace {

void note(Observation& seen, bool found, Fault fault, const char* words) {
  if (!found) return;
  seen.rig.push_back(fault);
  if (!seen.details.empty()) seen.details += "; ";
  seen.details += words;
}

// Returns the text in which a worker's output differs from an output; empty if it is one.
const std::string& came_instead(const Reply& reply) {
  static const std::string nothing;
  for (const RunReply& run : reply.runs)
    if (run.end == Status::ok && !run.message.empty()) return run.message;
  return nothing;
}

void note_rig_findings(Observation& seen, const Request& request, const RawAnswer& answer) {
  const Reply& reply = *answer.reply;
  const auto either = [&](bool RunReply::*flag) { return reply.runs[0].*flag || reply.runs[1].*flag; };
  note(seen, either(&RunReply::wrote_outside), Fault::wrote_outside,
       "wrote into the guard bytes next to the output");
  note(seen, either(&RunReply::changed_input), Fault::changed_input, "changed an input");
  note(seen, either(&RunReply::wrote_on_refusal), Fault::wrote_on_refusal,
       "refused, but wrote into the output");
  note(seen, either(&RunReply::moved), Fault::aliased,
       "pointed the output's descriptor somewhere else, or changed the alignment that it states");
  const std::string& what = came_instead(reply);
  note(seen, either(&RunReply::retyped), Fault::type,
       what.empty() ? "changed the type in the output's descriptor" : what.c_str());
  note(seen, either(&RunReply::reshaped), Fault::shape,
       what.empty() ? "changed the shape or the size in the output's descriptor" : what.c_str());
  note(seen, reply.called_oracle, Fault::called_oracle, "asked certile's oracle for the answer");
  note(seen, either(&RunReply::raced) || reply.infers_differently, Fault::raced,
       "a concurrent call gave a different answer than before");
  note(seen, either(&RunReply::misplaced), Fault::misplaced,
       "answered unlike before where the output begins at the end of the data, or ends at their beginning");
  note(seen, either(&RunReply::undid_a_change), Fault::raced,
       "a concurrent call put back what it had found next to its output, which another thread had changed");
  // [CT-STATE] the call's thread and process are outside the output, too
  const std::string left = "left changed: " + reply.changed_state +
                           (answer.only_first_changed ? "; only the first call of a process changes it" : "");
  note(seen, !reply.changed_state.empty(), Fault::changed_state, left.c_str());
  const std::string leaked = "it keeps " + reply.leaked;
  note(seen, !reply.leaked.empty(), Fault::leaked, leaked.c_str());
  const Comparison compared = compare_runs(request, reply);
  note(seen, compared == Comparison::unwritten, Fault::left_unwritten, "left bytes of the output unwritten");
  const std::string unlike = "answered unlike before where the output held " + reply.held;
  note(seen, !reply.held.empty(), Fault::left_unwritten, unlike.c_str());
  const bool ended_differently =
      reply.runs[1].end != Status::not_called && reply.runs[0].end != reply.runs[1].end;
  // [CT-STEADY] the same call, made twice
  note(seen, reply.held.empty() && (compared == Comparison::different || ended_differently), Fault::unsteady,
       reply.late_call == 0
           ? "two runs of the same call gave two answers"
           : fmt::format("call {} of a soak was answered unlike the calls before", reply.late_call).c_str());
}

// Returns the bytes that the reply may take: the outputs of both runs, and some for messages.
std::size_t reply_bytes(const Case& question, const Expectation& expected) {
  if (question.placement.shape_only || is_beyond_memory(question)) return messages;
  std::size_t size = 0;
  if (const auto* answer = std::get_if<Answer>(&expected); answer != nullptr && !answer->is_in_pieces) {
    for (const Tensor& tensor : answer->tensors)
      size += content_bytes(tensor);
  } else {
    const auto count = element_count(shape_due(question, expected));
    size = count ? byte_size(question.data.type(), *count).value_or(0) : 0;
    size *= static_cast<std::size_t>(question.placement.threads);
  }
  return messages + 2 * size;
}

Request request_of(const Case& question, std::vector<Tensor> filled) {
  Request request;
  request.definition = question.definition;
  request.placement = question.placement;
  request.data = std::move(filled);
  for (auto thread = static_cast<int>(request.data.size()); thread < question.placement.threads; ++thread)
    request.data.push_back(data_of(question, thread));
  request.repeats = question.repeats;
  request.axis = question.axis;
  return request;
}

}  // namespace

std::size_t content_bytes(const Tensor& tensor) {
  if (tensor.type() != ElementType::string) return tensor.bytes().size();
  std::size_t size = 0;
  const std::int64_t count = tensor.bytes().empty() ? 0 : tensor.count();
  for (std::int64_t index = 0; index < count; ++index)
    size += sizeof(std::uint64_t) + tensor.string_element(index).size();
  return size;
}

Request make_request(const Case& question, const Expectation& expected, std::vector<Tensor> filled) {
  Request request = request_of(question, std::move(filled));
  request.fallback_shape = shape_due(question, expected);
  if (!std::holds_alternative<Reject>(expected)) request.shape_digest = shape_digest(request.fallback_shape);
  request.reply_limit = reply_bytes(question, expected);
  return request;
}

Request plain_request(const Case& question, const Shape& due) {
  Request request = request_of(question, {});
  request.fallback_shape = due;
  request.shape_digest = shape_digest(due);
  request.reply_limit = messages + largest_part;
  return request;
}

std::optional<std::vector<Tensor>> outputs_of_side(const Request& request, const Reply& reply, int side) {
  const RunReply& asked = reply.runs[side];
  if (asked.end != Status::ok) return std::nullopt;
  const RunReply& holding = asked.like_first ? reply.runs[0] : asked;
  if (holding.outputs.empty()) return std::nullopt;
  return tensors_from(request, reply, holding);
}

Observation observe(const Case& question, const Request& request, RawAnswer& answer, int time_limit) {
  if (!answer.reply) return observe_end(answer.end, answer.diagnostics, time_limit);
  Reply& reply = *answer.reply;
  if (reply.not_possible) {
    Observation nothing;
    nothing.outcome = NotAsked{reply.message.empty()
                                   ? "certile had no memory left to make this call, or to check its answer"
                                   : reply.message};
    return nothing;
  }
  if (!is_sensible(request, reply)) {
    ChildEnd end;
    end.unreadable = true;
    return observe_end(end, answer.diagnostics, time_limit);
  }
  Observation seen;
  if (reply.inferred == Status::ok) seen.inferred = reply.shape;
  if (reply.inferred != Status::ok && reply.inferred != Status::not_called)
    seen.inferred = Error{backends::code_of(reply.inferred), reply.message};

  RunReply& first = reply.runs[0].end == Status::not_called ? reply.runs[1] : reply.runs[0];
  if (first.end == Status::not_called) {
    seen.outcome = outcome_of(reply.inferred, reply.message);
    if (question.placement.shape_only && reply.inferred == Status::not_called)
      seen.outcome = Unsupported{"it has no shape inference"};
    if (reply.called_oracle || !reply.changed_state.empty() || reply.infers_differently)
      note_rig_findings(seen, request, answer);
    return seen;
  }
  seen.produced_shape = reply.runs[0].came ? reply.runs[0].came : reply.runs[1].came;
  note_rig_findings(seen, request, answer);
  const auto is_found = [&seen](Fault fault) { return std::ranges::find(seen.rig, fault) != seen.rig.end(); };
  if (is_found(Fault::left_unwritten) || is_found(Fault::unsteady))
    seen.unwritten = unwritten_elements(request.data.front().type(), output_shape_of(request, reply), reply);
  seen.outcome = outcome_of(first.end, first.message);
  if (first.end == Status::ok)
    seen.outcome = Produced{is_found(Fault::unsteady) ? tensors_from(request, reply, first)
                                                      : taken_tensors(request, reply, first)};
  return seen;
}

}  // namespace certile::conformance
