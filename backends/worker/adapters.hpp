#pragma once
#include <optional>
#include <string_view>
#include <vector>

namespace certile::backends {

// Returns the runtimes that this tree has an adapter for, in the order of adapters/adapters.txt.
std::vector<std::string_view> adapter_names();

// The worker of a runtime.
struct Adapter {
  std::string_view name;
  std::string_view environment;  // the private environment of Python that it can have
  std::string_view module;       // what a Python that has the runtime can import
  std::string_view script;       // and its words, as "onnx_worker.py inference"
};

// Returns the worker of a runtime; nothing if there is none of that name.
std::optional<Adapter> find_adapter(std::string_view name);

}  // namespace certile::backends
