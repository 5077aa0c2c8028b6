#pragma once
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "backends/registry/registry.hpp"

namespace certile {

inline std::unique_ptr<Backend> scalar_backend() {
  for (const BuiltIn& each : built_in_backends())
    if (each.name == "scalar") return each.make();
  return nullptr;
}

// The scalar backend, with functions that a test may replace.
class ToyBackend : public Backend {
 public:
  std::function<Result<Shape>(const Call&)> when_inferring;
  std::function<Result<Filled>(const Call&, MutableTensorView)> when_running;
  std::atomic<int> runs = 0;

  Description describe() const override { return right_->describe(); }
  Result<Shape> infer(const Call& call) override {
    return when_inferring ? when_inferring(call) : right_->infer(call);
  }
  Result<Filled> run(const Call& call, MutableTensorView out) override {
    ++runs;
    return when_running ? when_running(call, out) : right_->run(call, out);
  }
  Backend& right() { return *right_; }

 private:
  std::unique_ptr<Backend> right_ = scalar_backend();
};

}  // namespace certile
