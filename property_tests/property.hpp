#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "conformance/laws/laws.hpp"

namespace certile::property_tests {

// A check of every case: that the backend's answer is the oracles', or a law that needs none.
struct Property {
  std::string_view name;
  std::string_view sentence;
  const conformance::Law* law = nullptr;  // none: agreement with the oracles
};

const std::vector<Property>& all_properties();
const Property* property_named(std::string_view name) noexcept;

}  // namespace certile::property_tests
