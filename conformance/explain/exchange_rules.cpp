#include "conformance/explain/exchange_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace certile::conformance {
namespace {

// A call that a backend may have answered instead: the elements of the data in their order, with other sizes.
struct OtherCall {
  Shape data, repeats;
};

// Returns the index in the data of an element of the call's output.
std::int64_t source_of(const OtherCall& call, std::int64_t index) {
  std::int64_t from = 0, stride = 1;
  for (std::size_t axis = call.data.size(); axis-- > 0;) {
    from += index % call.data[axis] * stride;
    stride *= call.data[axis];
    index /= call.data[axis] * call.repeats[axis];
  }
  return from;
}

bool is_output_of(const OtherCall& call, const WrongElements& found) {
  for (std::int64_t index = 0; index < found.count(); ++index)
    if (found.is_unwritten(index) ||
        element_key(found.seen, index) != element_key(found.data, source_of(call, index)))
      return false;
  return true;
}

}  // namespace

std::string of_exchanged_axes(const WrongElements& found) {
  OtherCall call{found.data.shape(), {}};
  const std::size_t rank = call.data.size();
  for (std::size_t axis = 0; axis < rank; ++axis)
    call.repeats.push_back(found.copies(axis));
  // Several pairs explain an output where an axis has size 1; the axes that are next to each other come
  // first.
  for (std::size_t distance = 1; distance < rank; ++distance)
    for (std::size_t axis = 0; axis + distance < rank; ++axis)
      for (const bool is_data : {false, true}) {
        const std::size_t other = axis + distance;
        OtherCall exchanged = call;
        Shape& sizes = is_data ? exchanged.data : exchanged.repeats;
        if (sizes[axis] == sizes[other]) continue;
        std::swap(sizes[axis], sizes[other]);
        if (is_output_of(exchanged, found))
          return fmt::format("those of a call in which axes {} and {} of the data have exchanged their {}",
                             axis, other, is_data ? "sizes" : "repeats");
      }
  std::ranges::reverse(call.repeats);
  return is_output_of(call, found) ? "those of a call with the repeats in the opposite order" : "";
}

}  // namespace certile::conformance
