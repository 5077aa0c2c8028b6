#include "conformance/ask/rig/made_otherwise.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/ask/rig/rig.hpp"
#include "reference/values/mix.hpp"

namespace certile::conformance {
namespace {

// Returns the parts of the data, in 1,024ths of its bytes, in which one bit is changed and changed back: both
// ends, the middle, and places that a sample of some vectors would not meet.
constexpr std::array<std::size_t, 6> places{0, 1023, 512, 301, 777, 45};

// Infers the call's shape in another thread.  Returns false if the system gives none.
bool infer_elsewhere(const SoakedCall& soaked, const certile_call& call) {
  try {
    std::thread([&] { static_cast<void>(soaked.infer(call)); }).join();
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

// Makes the call, and returns its answer if that is unlike the first one.
std::optional<UnlikeAnswer> unlike_answer(const SoakedCall& soaked, const certile_call& call) {
  const std::byte pattern = Rig::poison[0];
  backends::Ran ran = soaked.run(call, pattern);
  if (soaked.is_alike(ran, pattern)) return std::nullopt;
  return UnlikeAnswer{std::move(ran), pattern};
}

}  // namespace

std::optional<UnlikeAnswer> made_after_changes_in_place(const SoakedCall& soaked) {
  const Request& request = soaked.request();
  const Tensor& data = request.data.front();
  constexpr std::size_t most = std::size_t{8} << 20;  // bytes; the copies would take the memory of the call
  if (soaked.is_text() || data.bytes().empty() || data.bytes().size() > most) return std::nullopt;
  std::vector<std::vector<std::byte>> copies(places.size(), {data.bytes().begin(), data.bytes().end()});
  for (std::size_t number = 0; number < places.size(); ++number) {
    // An implementation has kept nothing of this address.
    std::vector<std::byte>& bytes = copies[number];
    std::byte& changed = bytes[places[number] * (bytes.size() - 1) / 1023];
    const backends::PluginCall call(request.definition, {data.type(), data.shape(), bytes},
                                    request.repeats.view(), view_of(request.axis));
    // The lowest bit, which keeps a boolean one.
    changed ^= std::byte{1};
    static_cast<void>(soaked.run(call));
    changed ^= std::byte{1};
    if (auto found = unlike_answer(soaked, call)) return found;
  }
  return std::nullopt;
}

std::optional<UnlikeAnswer> made_in_structures_of(UnlikeCalls& unlike, const SoakedCall& soaked) {
  const Request& request = soaked.request();
  if (!soaked.backend().claim().infers) return std::nullopt;
  std::optional<backends::PluginCall> call;  // the one place of all these calls
  for (std::size_t kind = 0; kind < unlike.kinds(); ++kind) {
    unlike.call_once(call);
    call.emplace(request.definition, request.data.front().view(), request.repeats.view(),
                 view_of(request.axis));
    if (!infer_elsewhere(soaked, *call)) return std::nullopt;
    if (auto found = unlike_answer(soaked, *call)) return found;
  }
  return std::nullopt;
}

}  // namespace certile::conformance
