#include <array>

#include "conformance/report/report.hpp"

namespace certile::conformance {
namespace {

constexpr std::array formats{
#define FORMAT(NAME, SHOWS_UNSTARTED, HELP) Format{#NAME, HELP, SHOWS_UNSTARTED, write_##NAME},
#include "conformance/report/formats.inc"
#undef FORMAT
};

}  // namespace

std::span<const Format> all_formats() noexcept {
  return formats;
}

}  // namespace certile::conformance
