# certile_certify(TARGET LIBRARY [NAME NAME] [TIER TIER] [LEVEL LEVEL] [WAIVERS FOLDER] [OPTIONS OPTION...] [LABELS LABEL...]
#                 [SHARDS N [MERGE_OPTIONS OPTION...]])
#
# Adds the test "certile: NAME", which certifies a shared or module library of this project: it fails if the library is not
# conformant, and its output has each broken clause with a failing case.  NAME is the target's by default; TIER is smoke, core
# (the default) or large; LEVEL is full (the default) or text; FOLDER has waivers; OPTIONs are those of `certile certify`.
#
# With SHARDS, the tests "certile: NAME, shard I of N" ask a share of the cases each, so that `ctest -j` runs them at the
# same time, and "certile: NAME" merges their records and gives the verdict: it fails if a shard's records are missing or
# of another library. The merged records are certile/NAME.jsonl in the build folder; MERGE_OPTIONS are those of
# `certile merge`, such as `--junit FILE`.
function(certile_certify)
  cmake_parse_arguments(PARSE_ARGV 0 certify "" "TARGET;NAME;TIER;LEVEL;WAIVERS;SHARDS" "OPTIONS;LABELS;MERGE_OPTIONS")
  if(certify_UNPARSED_ARGUMENTS OR NOT TARGET "${certify_TARGET}")
    message(FATAL_ERROR "certile_certify needs TARGET and a target, and takes no '${certify_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT TARGET certile::certile)
    message(FATAL_ERROR "certile_certify needs the program: find_package(certile) finds one that is installed, and "
      "CERTILE_BUILD=ON builds it")
  endif()
  if(NOT certify_NAME)
    set(certify_NAME ${certify_TARGET})
  endif()
  set(options ${certify_OPTIONS})
  foreach(option IN ITEMS TIER LEVEL)
    if(certify_${option})
      string(TOLOWER ${option} word)
      list(APPEND options --${word} ${certify_${option}})
    endif()
  endforeach()
  if(certify_WAIVERS)
    cmake_path(ABSOLUTE_PATH certify_WAIVERS BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND options --waivers ${certify_WAIVERS})
  endif()
  set(test "certile: ${certify_NAME}")
  set(command certile::certile certify $<TARGET_FILE:${certify_TARGET}> ${options})
  if(NOT DEFINED certify_SHARDS)
    add_test(NAME "${test}" COMMAND ${command})
    set_tests_properties("${test}" PROPERTIES LABELS "${certify_LABELS}")
    return()
  endif()
  if(NOT certify_SHARDS MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "certile_certify: SHARDS is '${certify_SHARDS}', which is no number of shards")
  endif()
  string(MAKE_C_IDENTIFIER "${certify_NAME}" file)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/certile/${file}")
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/certile")
  set(records "")
  foreach(index RANGE 1 ${certify_SHARDS})
    set(shard "${test}, shard ${index} of ${certify_SHARDS}")
    set(of_shard "${file}.${index}-of-${certify_SHARDS}.jsonl")
    list(APPEND records "${of_shard}")
    add_test(NAME "${shard}" COMMAND ${command} --jobs 1 --shard ${index}/${certify_SHARDS} --records ${of_shard})
    set_tests_properties("${shard}" PROPERTIES LABELS "${certify_LABELS}" FIXTURES_SETUP "${test}")
  endforeach()
  add_test(NAME "${test}" COMMAND certile::certile merge ${records} --records ${file}.jsonl ${certify_MERGE_OPTIONS})
  set_tests_properties("${test}" PROPERTIES LABELS "${certify_LABELS}" FIXTURES_REQUIRED "${test}")
endfunction()
