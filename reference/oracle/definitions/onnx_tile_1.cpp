#include "reference/oracle/definition.hpp"

namespace certile::definitions {

extern const Definition onnx_tile_1;
constinit const Definition onnx_tile_1{
    // [ONNX-T1-T1] three types; [ONNX-T1-X8] others are refused.  [ONNX-T1-I1] data of any shape
    .data = {.allowed = {ElementType::f16, ElementType::f32, ElementType::f64}},
    // ours [ONNX-T1-X2] [ONNX-T1-T2]: tiles and axis are of the data's type, as the list of inputs has it, or
    // i64, as the
    // list of constraints has it; one element each, whatever its shape
    .repeats = {.allowed = {ElementType::i64}, .data_type_too = true},
    // [ONNX-T1-I2] so many copies [ONNX-T1-I3] along an axis that the data has, ours [ONNX-T1-X3]: a negative
    // one counts
    // from the back, ours [ONNX-T1-X5]: others are refused; ours [ONNX-T1-X1]: that dimension times tiles,
    // the others as
    // they were; ours [ONNX-T1-X6] [ONNX-T1-X7]: what is too large is refused
    .negative = Says::refused,  // ours [ONNX-T1-X4], like a fraction, a NaN or an infinity
};

}  // namespace certile::definitions
