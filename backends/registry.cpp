#include "backends/registry.hpp"

#include <algorithm>

#include "backends/plugin/plugin_backend.hpp"

namespace certile {
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

bool is_library(std::string_view spelling) noexcept {
  return spelling.find('/') != std::string_view::npos;
}

Result<std::unique_ptr<Backend>> open_backend(std::string_view spelling) {
  if (is_library(spelling)) return load_plugin(spelling);
  const auto all = built_in_backends();
  const auto found =
      std::find_if(all.begin(), all.end(), [spelling](const BuiltIn& each) { return each.name == spelling; });
  const std::string wanted(spelling);
  if (found == all.end())
    return Error{Error::Code::unsupported, "no backend is called '" + wanted + "'; known are " +
                                               known_names() +
                                               ", and a path that contains a '/' names a shared library"};
  if (found->make == nullptr)
    return Error{Error::Code::unsupported, wanted + " is " + std::string(found->missing) +
                                               "; `./dev certify " + wanted + "` installs what it needs"};
  auto backend = found->make();
  if (!backend)
    return Error{Error::Code::io, wanted + ": the backend refuses to open; this build of certile is broken"};
  return backend;
}

}  // namespace certile
