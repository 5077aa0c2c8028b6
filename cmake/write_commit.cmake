# As a script, at every build: writes OUTPUT, which defines certile::conformance::built_from(), unless nothing changed.
#   cmake -DSOURCE=… -DOUTPUT=… -P write_commit.cmake
set(commit "")
set(dirty false)
execute_process(COMMAND git rev-parse --show-toplevel HEAD WORKING_DIRECTORY ${SOURCE}
  OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE code)
if(code EQUAL 0)
  string(REPLACE "\n" ";" answer "${answer}")
  list(GET answer 0 top)
  file(REAL_PATH ${SOURCE} source)
  file(REAL_PATH "${top}" top)
  if(top STREQUAL source) # else the sources are an archive inside another repository
    list(GET answer 1 commit)
    execute_process(COMMAND git diff --quiet HEAD WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE changed OUTPUT_QUIET ERROR_QUIET)
    if(changed)
      set(dirty true)
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[// Written by cmake/write_commit.cmake.
#include "conformance/text/version.hpp"

certile::conformance::BuiltFrom certile::conformance::built_from() noexcept {
  return {"@commit@", @dirty@};
}
]])
