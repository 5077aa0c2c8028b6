#pragma once
#include <vector>

#include "conformance/ask/asker.hpp"
#include "conformance/ask/wire/request.hpp"
#include "conformance/facts/outcome.hpp"
#include "conformance/judge/expectation.hpp"
#include "reference/values/case.hpp"

namespace certile::conformance {

// Returns which elements of each output were not written: those with a byte, or of packed types a bit, that
// holds what the rig put there in both runs; if there are none, those of whole bytes that the first run alone
// left.  `shape` is that of the outputs.  Empty for an output without such elements.
std::vector<std::vector<bool>> unwritten_elements(ElementType type, const Shape& shape, const Reply& reply);

// Returns the bytes of a tensor's content: of its elements, or of the sizes and characters of its strings.
std::size_t content_bytes(const Tensor& tensor);

// Returns the request to the backend's process, for a case with a known answer; `filled` has the data, if
// they are made.
Request make_request(const Case& question, const Expectation& expected, std::vector<Tensor> filled = {});
// Returns the request without `plain` set, for calls on plain memory.  `due`: the shape of the answer.
Request plain_request(const Case& question, const Shape& due);

// Returns the outcome of a request, and the findings of comparing the rig's two runs.  A byte that has the
// first poison after the first run and the other poison after the second was never written; any other
// difference between the runs means that the answer depends on more than the call.  Takes the outputs from
// the answer if the runs agree.
Observation observe(const Case& question, const Request& request, RawAnswer& answer, int time_limit);

// Returns the outcome of a request during which the backend's process ended.
Observation observe_end(const ChildEnd& end, const std::string& diagnostics, int time_limit);

// Returns the outputs of one of the two runs, one for each concurrent call; nothing if that run produced
// none.
std::optional<std::vector<Tensor>> outputs_of_side(const Request& request, const Reply& reply, int side);

}  // namespace certile::conformance
