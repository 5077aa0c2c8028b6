#include "conformance/ask/rig/guarded_call.hpp"

#include <exception>
#include <new>
#include <string>

namespace certile {
namespace {

template <class Function>
auto guarded(Function&& function) -> decltype(function()) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return Error{Error::Code::out_of_memory, "std::bad_alloc"};
  } catch (const std::exception& thrown) {
    return Error{Error::Code::backend_failed, std::string("an exception escaped: ") + thrown.what()};
  } catch (...) {
    return Error{Error::Code::backend_failed, "an exception of unknown type escaped"};
  }
}

}  // namespace

Result<Shape> guarded_infer(Backend& backend, const Call& call) {
  return guarded([&] { return backend.infer(call); });
}

Result<Backend::Filled> guarded_run(Backend& backend, const Call& call, MutableTensorView out) {
  return guarded([&] { return backend.run(call, out); });
}

CallEnd call_end(Error::Code code) noexcept {
  switch (code) {
    case Error::Code::rejected:
      return CallEnd::rejected;
    case Error::Code::unsupported:
      return CallEnd::unsupported;
    case Error::Code::out_of_memory:
      return CallEnd::out_of_memory;
    case Error::Code::bad_literal:
    case Error::Code::backend_failed:
    case Error::Code::io:
      break;
  }
  return CallEnd::failed;
}

}  // namespace certile
