#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "backends/plugin/backend.hpp"
#include "backends/plugin/certile_plugin.h"
#include "reference/values/result.hpp"

namespace certile {

using PluginOpen = std::int32_t (*)(std::uint32_t host_major, std::uint32_t host_minor,
                                    certile_plugin* plugin);

// Opens a backend behind the C header through its open function.  `origin` names it in errors: the path of a
// library, or the name of a backend that is linked in.  Errors (Code::io): it refuses to open, it has another
// ABI major (it is then left untouched), or its table is unusable.
//
// The backend reports what the plugin did, without judgement:
//   - a shape is returned as inferred, including negative or astronomical dimensions; a rank that is negative
//   or above the capacity is backend_failed;
//   - an unknown status and an exception that escapes are backend_failed, CERTILE_NO_MEMORY is out_of_memory;
//   - messages are cut to 1,023 bytes and not escaped: callers escape them before printing;
//   - without `infer` (Description::infers is false) Backend::infer is unsupported.
Result<std::unique_ptr<Backend>> open_plugin(const std::string& origin, PluginOpen open);

// Loads the shared library and opens its plugin.  Errors as above, and (Code::io): no such file, not a
// library, without the symbol.  The library is never unloaded, because its threads and exit handlers may
// still run its code, and a crash there would be charged to the next backend.
Result<std::unique_ptr<Backend>> load_plugin(std::string_view path);

}  // namespace certile
