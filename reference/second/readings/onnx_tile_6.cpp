#include "reference/second/readings/onnx_vector.hpp"

namespace certile::second {
namespace {

bool is_listed_by_tile_6(ElementType type) {
  using enum ElementType;
  switch (type) {
    case u8:
    case u16:
    case u32:
    case u64:
    case i8:
    case i16:
    case i32:
    case i64:
    case f16:
    case f32:
    case f64:
    case string:
    case boolean:
    case c64:
    case c128:
      return true;
    default:
      return false;
  }
}

}  // namespace

Reading read_onnx_tile_6(const Case& question);
Reading read_onnx_tile_6(const Case& question) {
  return read_onnx_vector(question, is_listed_by_tile_6(question.data.type()));
}

}  // namespace certile::second
