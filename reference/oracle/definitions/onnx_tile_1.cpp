#include "reference/oracle/definition.hpp"

namespace certile::oracle::definitions {

extern const Definition onnx_tile_1;
constinit const Definition onnx_tile_1{
    // [ONNX-T1-T1] three types; [ONNX-T1-X8] others are refused.  [ONNX-T1-I1] data of any shape
    .data = {.allowed = {ElementType::f16, ElementType::f32, ElementType::f64}},
    // ours [ONNX-T1-X2] [ONNX-T1-T2]: tiles and axis have the data's type, as in the list of inputs, or i64,
    // as in the list of constraints; each has one element, whatever its shape
    .repeats = {.allowed = {ElementType::i64}, .data_type_too = true},
    // [ONNX-T1-I2] tiles is the number of copies [ONNX-T1-I3] along an axis of the data; ours [ONNX-T1-X3]: a
    // negative axis counts from the back, ours [ONNX-T1-X5]: an axis out of range is refused;
    // ours [ONNX-T1-X1]: that dimension is multiplied by tiles, the others are unchanged;
    // ours [ONNX-T1-X6] [ONNX-T1-X7]: sizes that are too large are refused
    .negative = Says::refused,  // ours [ONNX-T1-X4], like a fraction, a NaN or an infinity
};

}  // namespace certile::oracle::definitions
