/* The functions of certile that compute an answer, by their mangled names, which liars look for. */
#pragma once

#define SYMBOL_OF_OUTPUT_SHAPE "_ZN7certile6oracle12output_shapeERKNS_4CaseE"
#define SYMBOL_OF_TILE "_ZN7certile6oracle4tileERKNS_4CaseERKNS_6TensorE"
#define SYMBOL_OF_OPEN_BACKEND "_ZN7certile8backends12open_backendESt17basic_string_viewIcSt11char_traitsIcEE"
