#include "reference/oracle/definition.hpp"

namespace certile::definitions {

extern const Definition openvino_tile_1;
constinit const Definition openvino_tile_1{
    // [OV-T1-T1] "arbitrary supported type" is an open set: whether complex numbers belong to it is nowhere
    // said.
    // [OV-T1-I1] data of any shape; ours [OV-T1-X13]: empty ones too
    .data = {.allowed = TypeSet::all() - TypeSet{ElementType::c64, ElementType::c128},
             .unspecified = {ElementType::c64, ElementType::c128}},
    // [OV-T1-T2] any integer type; whether boolean is one is nowhere said, and it is read as 0 or 1.
    // [OV-T1-X11] others are refused
    .repeats = {.allowed = integer_types, .unspecified = {ElementType::boolean}},
    // ours [OV-T1-X3]: repeats that are no vector are refused, as by default

    // [OV-T1-R1] [OV-T1-R1e] the data gets axes of size 1 in front, ours [OV-T1-X7]: also where it has none;
    // [OV-T1-R2] [OV-T1-R2e] the repeats get ones in front, ours [OV-T1-X6]: also where there are none.
    // [OV-T1-O1] so the output's rank is the larger of the two counts.
    // [OV-T1-I2] [OV-T1-I2e] each repeat is the number of copies along its dimension; [OV-T1-G2] dimension
    // times
    // repeat, ours [OV-T1-X4]: 0 times gives 0, ours [OV-T1-X9] [OV-T1-X12]: what is too large is refused
    .length = Length::any,
    .negative = Says::as_zero,  // ours [OV-T1-X5]
};

}  // namespace certile::definitions
