# certile_fuzz(NAME SEEDS SOURCES FILES... LINKS TARGETS...): the targets in these files, whose seeds are in the folders of SEEDS.
# A test replays the seeds with any compiler.  With CERTILE_FUZZ, which needs
# clang, NAME is a program that searches for more: NAME --target=TARGET CORPUS...
option(CERTILE_FUZZ "Build the programs that libFuzzer drives" OFF)
if(CERTILE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

function(certile_fuzz name seeds)
  cmake_parse_arguments(PARSE_ARGV 2 fuzz "" "" "SOURCES;LINKS")
  if(NOT CERTILE_BUILD_TESTS)
    return()
  endif()
  set(folder ${CMAKE_SOURCE_DIR}/conformance/proof/fuzz)
  add_executable(${name}-replay ${fuzz_SOURCES} ${folder}/fuzz_target.cpp ${folder}/replay_main.cpp)
  target_link_libraries(${name}-replay PRIVATE ${fuzz_LINKS} certile_warnings)
  file(GLOB folders CONFIGURE_DEPENDS ${seeds}/*)
  add_test(NAME "${name}: what was found stays mended" COMMAND ${name}-replay ${folders})
  if(CERTILE_FUZZ)
    add_executable(${name} ${fuzz_SOURCES} ${folder}/fuzz_target.cpp ${folder}/fuzz_main.cpp)
    target_link_libraries(${name} PRIVATE ${fuzz_LINKS} certile_warnings)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  endif()
endfunction()
