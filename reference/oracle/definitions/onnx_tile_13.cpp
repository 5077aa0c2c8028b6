#include "reference/oracle/definition.hpp"

namespace certile::oracle::definitions {

extern const Definition onnx_tile_13;
constinit const Definition onnx_tile_13{
    // [ONNX-T13-T1] the fifteen types of Tile-6 and bfloat16; [ONNX-T13-X7] others are refused.
    // [ONNX-T13-I1] data of any shape; [ONNX-T13-X1] also of rank 0, without repeats
    .data = {.allowed = {ElementType::boolean, ElementType::i8, ElementType::i16, ElementType::i32,
                         ElementType::i64, ElementType::u8, ElementType::u16, ElementType::u32,
                         ElementType::u64, ElementType::f16, ElementType::f32, ElementType::f64,
                         ElementType::c64, ElementType::c128, ElementType::string, ElementType::bf16}},
    // [ONNX-T13-T2] repeats are i64; [ONNX-T13-I2] a vector
    .repeats = {.allowed = {ElementType::i64}},
    // [ONNX-T13-I3] one repeat for each dimension; [ONNX-T13-S3] nothing is promoted.  [ONNX-T13-I4] each
    // repeat is the number of copies along its dimension; [ONNX-T13-O1] so the output has the data's rank,
    // [ONNX-T13-O2] and each dimension is multiplied by its repeat;
    // ours [ONNX-T13-X2]: a repeat may be 0, ours [ONNX-T13-X4] [ONNX-T13-X6]: too large sizes are refused
    .length = Length::as_rank,
    .negative = Says::refused,  // ours [ONNX-T13-X3]
    .strings_are_utf8 = true,   // [ONNX-T13-U1] the text does not say how Tile treats other bytes
};

}  // namespace certile::oracle::definitions
