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

// A backend behind the C header, reached through its open function.  `origin` names it in errors: the path of
// a library, or the name of a backend that is linked in.  Errors (Code::io): it refuses to open, it is of
// another ABI major (it is then left untouched), its table is not usable.
//
// The backend reports what the plugin did and adds no judgement:
//   - a shape is passed on as inferred, negative or astronomical dimensions too; a rank that is negative or
//   above the
//     capacity offered is backend_failed;
//   - a status unknown to the header, and an exception that escapes, are backend_failed, CERTILE_NO_MEMORY is
//     out_of_memory;
//   - messages are cut to 1,023 bytes and passed on as they are: whoever prints one must escape it;
//   - without `infer` (Description::infers is false) Backend::infer is unsupported.
Result<std::unique_ptr<Backend>> open_plugin(const std::string& origin, PluginOpen open);

// Loads the shared library and opens its plugin.  Errors as above, and (Code::io): no such file, not a
// library, without the symbol.  The library is never unloaded: code of it may still run in its threads and
// exit handlers, and a crash there would be charged to whatever is asked next.
Result<std::unique_ptr<Backend>> load_plugin(std::string_view path);

}  // namespace certile
