# CERTILE_COVERAGE: the lines and branches that the tests reach, for gcov.  A process writes its counts when it ends by
# exit(); children end by _exit(), which is made to write them too.  Killed processes are not counted.
option(CERTILE_COVERAGE "Note which lines are reached" OFF)
if(CERTILE_COVERAGE)
  # Every thread counts; the backends' own threads as well.
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
  # Named as missing from the start: the archive that has it comes before others that end a process.
  string(APPEND CMAKE_EXE_LINKER_FLAGS " -Wl,--wrap=_exit -Wl,--undefined=__wrap__exit")
endif()

# certile_flush_coverage(TARGET): every program that links it writes what it has reached.
function(certile_flush_coverage target)
  if(CERTILE_COVERAGE)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/flush_coverage.c)
  endif()
endfunction()
