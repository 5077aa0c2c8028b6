#include "reference/oracle/definition.hpp"

namespace certile::definitions {

extern const Definition array_api_tile;
// [AA-TILE-S1] tiling is not defined; ours [AA-TILE-X1]: tile() places the elements of each definition alike,
// [AA-TILE-O1] of the data's type, ours [AA-TILE-X4]: packed ones too.
constinit const Definition array_api_tile{
    // [AA-TILE-T1] thirteen types are required, [AA-TILE-T2] the others are allowed
    .data = {.allowed = TypeSet::all(),
             .required = {ElementType::boolean, ElementType::i8, ElementType::i16, ElementType::i32,
                          ElementType::i64, ElementType::u8, ElementType::u16, ElementType::u32,
                          ElementType::u64, ElementType::f32, ElementType::f64, ElementType::c64,
                          ElementType::c128}},
    // [AA-TILE-R2] a tuple of integers; whether anything else is taken is not said
    .repeats = {.allowed = {ElementType::i64}},
    .repeats_form = Says::unspecified,
    // [AA-TILE-R3] [AA-TILE-R4] repetitions get ones in front, [AA-TILE-R5] [AA-TILE-R6] or the data gets
    // axes of size 1,
    // [AA-TILE-A1] also where it has none; [AA-TILE-O2] so the longer of the two gives the rank.
    // [AA-TILE-R1] each is the number of copies along its axis; [AA-TILE-O3] the product, 0 included;
    // ours [AA-TILE-X3]: what is too large is refused
    .length = Length::any,
    .negative = Says::refused,               // ours [AA-TILE-X2]: the product would be negative
    .negative_on_empty = Says::unspecified,  // where it would be 0
    .required_rank = 4,                      // [AA-TILE-A2]
    // [AA-TILE-T3] subnormals may be lost; and "libraries can do either", a copy or a view
    .contract_is_ours = true,
};

}  // namespace certile::definitions
