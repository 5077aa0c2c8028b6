#pragma once
#include "backends/plugin/backend.hpp"
#include "conformance/ask/wire/request.hpp"

namespace certile {

// The one place where a backend is called: what it throws becomes backend_failed, and nothing thrown passes
// on.
Result<Shape> guarded_infer(Backend& backend, const Call& call);
Result<Backend::Filled> guarded_run(Backend& backend, const Call& call, MutableTensorView out);

CallEnd call_end(Error::Code code) noexcept;

template <class Value>
CallEnd call_end(const Result<Value>& result) noexcept {
  return result ? CallEnd::done : call_end(result.error().code);
}

}  // namespace certile
