# As a script, at every build: writes OUTPUT, which defines certile::bench::built_commit(), unless nothing changed.
#   cmake -DSOURCE=… -DOUTPUT=… -P write_commit.cmake
execute_process(COMMAND git describe --always --dirty --tags WORKING_DIRECTORY ${SOURCE}
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  set(commit "")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[// Written by cmake/write_commit.cmake.
#include "bench/run/built_from.hpp"

std::string_view certile::bench::built_commit() noexcept {
  return "@commit@";
}
]])
