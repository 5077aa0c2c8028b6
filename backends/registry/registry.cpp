#include "backends/registry/registry.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace certile::backends {

namespace {

std::string known_names() {
  std::string names;
  for (const BuiltIn& each : built_in_backends()) {
    if (!names.empty()) names += ", ";
    names += each.name;
  }
  return names;
}

}  // namespace

std::string_view BuiltIn::unavailable() const {
  if (!missing.empty()) return missing;
  if (supported != nullptr && !supported()) return "not supported by this CPU";
  return {};
}

Result<Plugin> open_backend(std::string_view spelling) {
  if (is_library(spelling)) return Plugin::load(spelling);
  const auto all = built_in_backends();
  const auto found =
      std::find_if(all.begin(), all.end(), [spelling](const BuiltIn& each) { return each.name == spelling; });
  const std::string wanted(spelling);
  if (found == all.end())
    return Error{Error::Code::unsupported,
                 "no backend is called '" + wanted + "'; known are " + known_names() +
                     ", a path that contains a '/' names a shared library, and worker:COMMAND "
                     "another process"};
  if (found->open == nullptr)
    return Error{Error::Code::unsupported, wanted + " is " + std::string(found->missing) +
                                               "; `./dev certify " + wanted + "` installs what it needs"};
  if (const std::string_view why = found->unavailable(); !why.empty())
    return Error{Error::Code::unsupported,
                 wanted + " is " + std::string(why) + "; `certile list` says which backends are"};
  return Plugin::open(wanted, found->open);
}

}  // namespace certile::backends
