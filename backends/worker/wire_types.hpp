#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/values/result.hpp"
#include "reference/values/tensor.hpp"

namespace certile::backends {

// Returns the name that safetensors has for a type; empty if it has none, and the type travels as U8.
std::string_view dtype_of(ElementType type) noexcept;
// Returns the type of that name; nothing if certile has none.
std::optional<ElementType> type_of_dtype(std::string_view dtype) noexcept;
// Returns the bits of an element of any type that safetensors has; 0 for an unknown name.
int bits_of_dtype(std::string_view dtype) noexcept;

// Returns a string tensor as it travels: u64 offsets, one more than elements, then the characters.
std::vector<std::byte> flat_strings(std::span<const std::byte> elements);
// Returns views of the elements of such bytes, as many as `count`.  Errors: backend_failed.
Result<std::vector<StringElement>> strings_in(std::span<const std::byte> flat, std::size_t count);

}  // namespace certile::backends
