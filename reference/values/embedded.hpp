#pragma once
#include <span>
#include <string_view>

namespace certile {

// A file of the source tree that was compiled into the program: see certile_embed in
// cmake/CertileEmbed.cmake.
struct EmbeddedFile {
  std::string_view name;  // without its folder: "contract.md"
  std::string_view text;
};

}  // namespace certile
