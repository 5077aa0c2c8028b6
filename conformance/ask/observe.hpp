#pragma once
#include "conformance/ask/asker.hpp"
#include "conformance/ask/wire/request.hpp"
#include "conformance/facts/outcome.hpp"
#include "conformance/judge/expectation.hpp"
#include "reference/values/case.hpp"

namespace certile {

// What is asked of the backend's process, for a case whose answer is known.
Request make_request(const Case& question, const Expectation& expected);

// Puts together what a request brought back: the outcome, and what the rig's two runs say when they are held
// against each other. A byte that has the one poison after the first run and the other after the second was
// never written; any other difference between the two means that the answer depends on more than the call.
Observation observe(const Case& question, const Request& request, const RawAnswer& answer, int time_limit);

// The output of one of the two runs, as a tensor; nothing where that run did not produce one.
std::optional<Tensor> output_of_side(const Request& request, const Reply& reply, int side);

}  // namespace certile
