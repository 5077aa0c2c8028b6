#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "backends/registry/registry.hpp"

namespace certile::conformance {

inline backends::Plugin scalar_backend() {
  return *backends::open_backend("scalar");
}

// Returns the bytes of a tensor of a call.
inline std::span<std::byte> bytes_of(const certile_tensor& tensor) {
  return {static_cast<std::byte*>(tensor.data), tensor.byte_size};
}

// The table of the scalar backend, with functions that a test may replace.  One is open at a time.
class ToyBackend {
 public:
  std::function<std::int32_t(const certile_call&, Shape&)> when_inferring;
  std::function<std::int32_t(const certile_call&, certile_tensor&)> when_running;
  std::atomic<int> runs = 0;
  const char* why = "";              // of what these refuse
  const char* writes_all = nullptr;  // instead, whatever the room

  enum class Inference { own, none };
  explicit ToyBackend(Inference inference = Inference::own) {
    opened = this;
    infers = inference == Inference::own;
    plugin_.emplace(*backends::Plugin::open("toy", [](std::uint32_t, std::uint32_t, certile_plugin* table) {
      *table = opened->right_.table();
      if (!infers) table->infer = nullptr;
      if (infers) table->infer = infer;
      table->run = run;
      table->destroy = [](void*) {};
      table->self = opened;
      return std::int32_t{CERTILE_OK};
    }));
  }

  const backends::Plugin& plugin() const { return *plugin_; }
  operator const backends::Plugin&() const { return *plugin_; }
  // Does what the scalar backend does.
  std::int32_t right_run(const certile_call& call, certile_tensor& out) const {
    return right_.table().run(right_.table().self, &call, &out, ignored().text());
  }

 private:
  // A buffer for a message that is not read.
  struct Ignored {
    char characters[1024] = {};
    certile_text message{sizeof message, sizeof characters, characters};
    certile_text* text() { return &message; }
  };
  static Ignored& ignored() {
    thread_local Ignored only;
    return only;
  }

  static std::int32_t infer(void* self, const certile_call* call, std::int64_t* shape, std::int32_t capacity,
                            std::int32_t* rank, certile_text* why) {
    const auto& toy = *static_cast<ToyBackend*>(self);
    const certile_plugin& right = toy.right_.table();
    if (!toy.when_inferring) return right.infer(right.self, call, shape, capacity, rank, why);
    Shape inferred;
    const std::int32_t status = toy.when_inferring(*call, inferred);
    std::snprintf(why->utf8, why->capacity, "%s", toy.why);
    *rank = static_cast<std::int32_t>(inferred.size());
    std::copy(inferred.begin(), inferred.end(), shape);
    return status;
  }
  static std::int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
    auto& toy = *static_cast<ToyBackend*>(self);
    const certile_plugin& right = toy.right_.table();
    ++toy.runs;
    if (!toy.when_running) return right.run(right.self, call, out, why);
    const std::int32_t status = toy.when_running(*call, *out);
    if (toy.writes_all != nullptr)
      std::strcpy(why->utf8, toy.writes_all);
    else
      std::snprintf(why->utf8, why->capacity, "%s", toy.why);
    return status;
  }

  static inline ToyBackend* opened = nullptr;  // while its constructor runs
  static inline bool infers = true;
  backends::Plugin right_ = scalar_backend();
  std::optional<backends::Plugin> plugin_;
};

}  // namespace certile::conformance
