#pragma once
#include <string>
#include <vector>

#include "conformance/testing/plugins_test.hpp"
#include "conformance/testing/program_test.hpp"

namespace certile::conformance {

// Words for a run of a whole tier, for tests of what is done with a run: the plugin claims few elements, so
// that its five thousand cases are short.
inline const Words quick_run{test_plugin("limited"), "--tier", "smoke", "--env", "MAX_ELEMENTS=100"};
// Words for such a run in which f64 is wrong.
inline const Words quick_failing_run = with_words(quick_run, {"--env", "LIMIT=wrong-f64"});

}  // namespace certile::conformance
