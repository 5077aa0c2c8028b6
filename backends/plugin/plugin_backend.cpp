#include "backends/plugin/plugin_backend.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <limits>
#include <utility>
#include <vector>

#include "backends/plugin/c_call.hpp"
#include "backends/plugin/claim.hpp"

namespace certile {
namespace {

// The host's buffer for a message.  Only the buffer is read back, so the plugin may change the struct around
// it.
class Why {
 public:
  certile_text* text() noexcept { return &text_; }
  std::string message() {
    characters_[capacity - 1] = '\0';
    return characters_.data();
  }
  // [CT-BOUNDS] no byte past the capacity was written
  bool is_kept_within() const noexcept {
    return std::all_of(characters_.begin() + capacity, characters_.end(),
                       [](char each) { return each == '\0'; });
  }

 private:
  static constexpr std::size_t capacity = 1024, beyond = 64;
  std::array<char, capacity + beyond> characters_{};
  certile_text text_{sizeof(certile_text), capacity, characters_.data()};
};

// Calls into the plugin.  An exception that crosses the table is the plugin's failure.
template <class Callee>
Result<std::int32_t> guarded(Callee&& callee) {
  try {
    return callee();
  } catch (const std::exception& error) {
    return Error{Error::Code::backend_failed,
                 std::string("an exception crossed the C table: ") + error.what()};
  } catch (...) {
    return Error{Error::Code::backend_failed, "an exception crossed the C table"};
  }
}

// `message` may be empty.
Error error_of(std::int32_t status, const std::string& message) {
  const auto error = [&message](Error::Code code, const char* otherwise) {
    return Error{code, message.empty() ? otherwise : message};
  };
  switch (status) {
    case CERTILE_REJECTED:
      return error(Error::Code::rejected, "rejected, without a message");
    case CERTILE_UNSUPPORTED:
      return error(Error::Code::unsupported, "unsupported, without a message");
    case CERTILE_NO_MEMORY:
      return error(Error::Code::out_of_memory, "no memory, without a message");
    case CERTILE_FAILED:
      return error(Error::Code::backend_failed, "failed, without a message");
    default:
      return {Error::Code::backend_failed,
              "unknown status " + std::to_string(status) + (message.empty() ? "" : ": " + message)};
  }
}

Error wrote_beyond_why() {
  return {Error::Code::backend_failed, "it wrote a message beyond the room for it"};
}

// Ignores exceptions, because no caller is left to report one to.
void destroy(const certile_plugin& table) {
  static_cast<void>(guarded([&table] {
    table.destroy(table.self);
    return std::int32_t{CERTILE_OK};
  }));
}

class PluginBackend final : public Backend {
 public:
  PluginBackend(const certile_plugin& table, Description claim) : table_(table), claim_(std::move(claim)) {}
  PluginBackend(const PluginBackend&) = delete;
  PluginBackend& operator=(const PluginBackend&) = delete;
  ~PluginBackend() override { destroy(table_); }

  Description describe() const override { return claim_; }

  Result<Shape> infer(const Call& call) override {
    if (table_.infer == nullptr) return Error{Error::Code::unsupported, "the plugin has no shape inference"};
    const CCall c_call(call);
    // The longest rank that any definition gives; never less than what the header promises.
    const std::size_t repeats =
        call.repeats.shape.size() == 1 ? static_cast<std::size_t>(call.repeats.shape[0]) : 0;
    const std::size_t capacity = std::max({std::size_t{64}, call.data.shape.size(), repeats});
    // A dimension that stays unwritten shows as one that no definition gives.
    constexpr std::int64_t untouched = std::numeric_limits<std::int64_t>::min();
    constexpr std::size_t beyond = 8;
    Shape shape(capacity + beyond, untouched);
    std::int32_t rank = -1;
    Why why;
    const auto status = guarded([&] {
      return table_.infer(table_.self, &c_call.get(), shape.data(), static_cast<std::int32_t>(capacity),
                          &rank, why.text());
    });
    if (!status) return status.error();
    // [CT-BOUNDS] nor any dimension past the capacity
    const auto past = shape.begin() + static_cast<std::ptrdiff_t>(capacity);
    if (!std::all_of(past, shape.end(), [](std::int64_t each) { return each == untouched; }))
      return Error{Error::Code::backend_failed,
                   "infer wrote dimensions beyond its room for " + std::to_string(capacity)};
    if (!why.is_kept_within()) return wrote_beyond_why();
    if (*status != CERTILE_OK) return error_of(*status, why.message());
    if (rank < 0 || static_cast<std::size_t>(rank) > capacity)
      return Error{Error::Code::backend_failed, "infer gave the rank " + std::to_string(rank) +
                                                    ", with room for " + std::to_string(capacity) +
                                                    " dimensions"};
    shape.resize(static_cast<std::size_t>(rank));
    return shape;
  }

  Result<Filled> run(const Call& call, MutableTensorView out) override {
    const CCall c_call(call);
    // A copy, because the plugin may change the shape it is given.
    const Shape shape(out.shape.begin(), out.shape.end());
    const certile_tensor given = c_tensor(out.type, shape, out.bytes);
    certile_tensor taken = given;
    Why why;
    const auto status = guarded([&] { return table_.run(table_.self, &c_call.get(), &taken, why.text()); });
    if (!status) return status.error();
    if (!why.is_kept_within()) return wrote_beyond_why();
    Filled filled;
    filled.moved = taken.data != given.data || taken.alignment != given.alignment;
    filled.reshaped = taken.rank != given.rank || taken.shape != given.shape ||
                      taken.byte_size != given.byte_size ||
                      !std::equal(shape.begin(), shape.end(), out.shape.begin(), out.shape.end());
    const bool is_readable = taken.shape == given.shape && taken.rank >= 0 && taken.rank <= given.rank;
    if (filled.reshaped && is_readable) filled.shape = Shape(shape.begin(), shape.begin() + taken.rank);
    filled.retyped = taken.element_type != given.element_type || taken.element_bits != given.element_bits;
    if (*status == CERTILE_OK) return filled;
    Error refusal = error_of(*status, why.message());
    // [CT-REFUSE] a refusal changes nothing, not even the descriptor
    if (filled.moved || filled.reshaped || filled.retyped)
      return Error{Error::Code::backend_failed,
                   "it changed the output's descriptor, and then said: " + refusal.what,
                   std::string(wrote_and_refused)};
    return refusal;
  }

 private:
  certile_plugin table_;
  Description claim_;
};

Error wrong_major(const std::string& origin, std::uint32_t major) {
  return {Error::Code::io, origin + ": the plugin is of ABI major " + std::to_string(major) +
                               ", and this certile speaks " + std::to_string(CERTILE_ABI_MAJOR) +
                               "; rebuild it with this certile's certile_plugin.h"};
}

}  // namespace

Result<std::unique_ptr<Backend>> open_plugin(const std::string& origin, PluginOpen open) {
  certile_plugin filled{};
  filled.struct_size = sizeof filled;
  Result<std::int32_t> status = guarded([&] { return open(CERTILE_ABI_MAJOR, CERTILE_ABI_MINOR, &filled); });
  if (!status)
    return Error{Error::Code::io,
                 origin + ": while opening, " + status.error().what + "; catch it in certile_plugin_open"};
  if (*status != CERTILE_OK) {
    if (filled.abi_major != 0 && filled.abi_major != CERTILE_ABI_MAJOR)
      return wrong_major(origin, filled.abi_major);
    return Error{Error::Code::io, origin + ": the plugin refuses to open (" + error_of(*status, "").what +
                                      "); its makers know what it needs"};
  }
  if (filled.abi_major != CERTILE_ABI_MAJOR) return wrong_major(origin, filled.abi_major);

  const certile_plugin table = known_part(filled);
  auto claim = read_claim(table, origin);
  if (!claim) {
    if (table.struct_size >= required_size && table.destroy != nullptr) destroy(table);
    return claim.error();
  }
  return std::unique_ptr<Backend>(std::make_unique<PluginBackend>(table, *std::move(claim)));
}

}  // namespace certile
