#pragma once
#include <string_view>
#include <vector>

namespace certile::backends {

// Returns the runtimes that this tree has an adapter for, in the order of adapters/adapters.txt.
std::vector<std::string_view> adapter_names();

// Returns the worker of a runtime as its script and the script's words, as "onnx_worker.py inference"; empty
// if there is no adapter of that name.
std::string_view adapter_script(std::string_view name);

}  // namespace certile::backends
