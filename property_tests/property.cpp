#include "property_tests/property.hpp"

#include <algorithm>

namespace certile::property_tests {

const std::vector<Property>& all_properties() {
  static const std::vector<Property> properties = [] {
    std::vector<Property> all{{"agrees-with-oracle", "the answer is the oracles', bit for bit"}};
    for (const conformance::Law& law : conformance::all_laws())
      all.push_back({law.name, law.sentence, &law});
    return all;
  }();
  return properties;
}

const Property* property_named(std::string_view name) noexcept {
  const auto found = std::ranges::find(all_properties(), name, &Property::name);
  return found == all_properties().end() ? nullptr : &*found;
}

}  // namespace certile::property_tests
