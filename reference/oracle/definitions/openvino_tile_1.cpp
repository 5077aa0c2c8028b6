#include "reference/oracle/definition.hpp"

namespace certile::oracle::definitions {

extern const Definition openvino_tile_1;
constinit const Definition openvino_tile_1{
    // [OV-T1-T1] "arbitrary supported type" is an open set: the text does not say whether complex numbers
    // belong to it.  [OV-T1-I1] data of any shape; ours [OV-T1-X13]: empty data too
    .data = {.allowed = TypeSet::all() - TypeSet{ElementType::c64, ElementType::c128},
             .unspecified = {ElementType::c64, ElementType::c128}},
    // [OV-T1-T2] any integer type; the text does not say whether boolean is one, and its values are read as 0
    // and 1.  [OV-T1-X11] others are refused
    .repeats = {.allowed = integer_types, .unspecified = {ElementType::boolean}},
    // ours [OV-T1-X3]: repeats that are not a vector are refused, which is the default

    // [OV-T1-R1] [OV-T1-R1e] the data gets leading axes of size 1, ours [OV-T1-X7]: also data of rank 0;
    // [OV-T1-R2] [OV-T1-R2e] the repeats get leading ones, ours [OV-T1-X6]: also if there are none;
    // [OV-T1-O1] so the output's rank is the larger of the two counts.
    // [OV-T1-I2] [OV-T1-I2e] each repeat is the number of copies along its dimension; [OV-T1-G2] each
    // dimension is multiplied by its repeat, ours [OV-T1-X4]: by 0 too, ours [OV-T1-X9] [OV-T1-X12]: sizes
    // that are too large are refused
    .length = Length::any,
    .negative = Says::as_zero,  // ours [OV-T1-X5]
};

}  // namespace certile::oracle::definitions
