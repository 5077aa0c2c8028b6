#include "reference/oracle/definition.hpp"

namespace certile::oracle::definitions {

extern const Definition array_api_tile;
// [AA-TILE-S1] the text does not define tiling; ours [AA-TILE-X1]: tile() places elements as for every
// definition, [AA-TILE-O1] of the data's type, ours [AA-TILE-X4]: packed elements too.
constinit const Definition array_api_tile{
    // [AA-TILE-T1] thirteen types are required, [AA-TILE-T2] the others are allowed
    .data = {.allowed = TypeSet::all(),
             .required = {ElementType::boolean, ElementType::i8, ElementType::i16, ElementType::i32,
                          ElementType::i64, ElementType::u8, ElementType::u16, ElementType::u32,
                          ElementType::u64, ElementType::f32, ElementType::f64, ElementType::c64,
                          ElementType::c128}},
    // [AA-TILE-R2] a tuple of integers; the text does not say whether other forms are accepted
    .repeats = {.allowed = {ElementType::i64}},
    .repeats_form = Says::unspecified,
    // [AA-TILE-R3] [AA-TILE-R4] repetitions get leading ones, or [AA-TILE-R5] [AA-TILE-R6] the data gets
    // leading axes of size 1, [AA-TILE-A1] also data of rank 0; [AA-TILE-O2] so the longer gives the rank.
    // [AA-TILE-R1] each repetition is the number of copies along its axis; [AA-TILE-O3] the output's size is
    // the product, 0 included; ours [AA-TILE-X3]: sizes that are too large are refused
    .length = Length::any,
    .negative = Says::refused,               // ours [AA-TILE-X2]: the product would be negative
    .negative_on_empty = Says::unspecified,  // the product would be 0
    .required_rank = 4,                      // [AA-TILE-A2]
    // [AA-TILE-T3] subnormals may be lost; and "libraries can do either": return a copy or a view
    .contract_is_ours = true,
};

}  // namespace certile::oracle::definitions
