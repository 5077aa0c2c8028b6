# To compile a dozen files of a part as one takes a third of the time, because most of it goes into what they include. A name that
# two files of a part use for themselves is an error then; that each file includes what it needs is seen only without.
option(CERTILE_COMPILE_TOGETHER "Compile the files of each part together" ON)
function(certile_compile_together target files)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CERTILE_COMPILE_TOGETHER} UNITY_BUILD_BATCH_SIZE ${files})
  if(CERTILE_COMPILE_TOGETHER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>) # takes the files for headers
  endif()
endfunction()

# certile_part(PATH [ALONE] [LINKS TARGET...]): the C++ files below PATH, which is relative to the source tree, as a static library whose
# name is the path's: conformance/judge is certile_conformance_judge.  A LINKS word with a '/' is the PATH of another part; a part
# may link and include only those, directly or through them; tools/check_structure.py reads these lines and checks the includes.
# ALONE: each file is compiled by itself, because it is timed and has to be the same code in every build.
# main.cpp belongs to a program, *_test.cpp to tests, and files in a folder with a CMakeLists.txt to that one.
function(certile_part path)
  cmake_parse_arguments(PARSE_ARGV 1 part "ALONE" "" "LINKS")
  certile_sources(sources ${path} EXCLUDE "(_test|/main)\\.cpp$")
  certile_target_of(target ${path})
  add_library(${target} STATIC ${sources})
  if(NOT part_ALONE)
    certile_compile_together(${target} 12)
  endif()
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  foreach(link IN LISTS part_LINKS)
    if(link MATCHES "/")
      certile_target_of(link ${link})
    endif()
    if(NOT link MATCHES "^certile_" OR TARGET ${link}) # the kernel's needs a package
      target_link_libraries(${target} PUBLIC ${link})
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE certile_warnings)
endfunction()

# certile_taken_by_host(PATH REGEX): the files of the part that certile-host takes from its archive, and those that it does not take, are
# compiled apart, so that the host stays as small as it is with each file compiled alone.
function(certile_taken_by_host path regex)
  certile_target_of(target ${path})
  get_target_property(sources ${target} SOURCES)
  set(others ${sources})
  list(FILTER sources INCLUDE REGEX "${path}/(${regex})\\.cpp$")
  list(REMOVE_ITEM others ${sources})
  set_source_files_properties(${sources} PROPERTIES UNITY_GROUP host)
  set_source_files_properties(${others} PROPERTIES UNITY_GROUP others)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# certile_target_of(VARIABLE PATH): the name of the part's target.
function(certile_target_of variable path)
  string(REPLACE "/" "_" name ${path})
  set(${variable} certile_${name} PARENT_SCOPE)
endfunction()

# certile_built_from(TARGET): adds built_from() to the target, which names the commit.  It is looked up at every build.
function(certile_built_from target)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/built_from.cpp)
  add_custom_target(certile_commit BYPRODUCTS ${source} COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${source}
    -P ${PROJECT_SOURCE_DIR}/cmake/write_commit.cmake VERBATIM COMMENT "Re-reading the commit") # ./dev announces no Re- steps
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON) # each commit compiles it again
  add_dependencies(${target} certile_commit)
endfunction()

# certile_sources(VARIABLE PATH INCLUDE|EXCLUDE REGEX): the C++ files below PATH that match, or do not; the latter without those
# in folders that have a CMakeLists.txt.
function(certile_sources variable path how regex)
  set(folder ${PROJECT_SOURCE_DIR}/${path})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(FILTER sources ${how} REGEX "${regex}")
  if(how STREQUAL EXCLUDE)
    file(GLOB_RECURSE others CONFIGURE_DEPENDS ${folder}/*/CMakeLists.txt)
    foreach(other IN LISTS others)
      cmake_path(GET other PARENT_PATH other)
      list(FILTER sources EXCLUDE REGEX "^${other}/")
    endforeach()
  endif()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# Programs run in an emulator start each other in it.  Plugins that attack the system meet another system there: qemu's forks are
# slow, and it supports neither limits of memory nor filters of system calls.
if(CMAKE_CROSSCOMPILING_EMULATOR)
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " words)
  set(certile_test_properties "ENVIRONMENT \"CERTILE_EMULATOR=${words}\"")
  set(certile_suites_left_out "HostilePlugin")
endif()

# certile_tests(FOLDER DEPENDS...): every *_test.cpp below the folder as one program, each suite known to CTest.
function(certile_tests name)
  if(NOT CERTILE_BUILD_TESTS)
    return()
  endif()
  certile_sources(sources ${name} INCLUDE "_test\\.cpp$")
  list(APPEND sources ${PROJECT_SOURCE_DIR}/conformance/testing/no_processes_test.cpp)
  list(REMOVE_DUPLICATES sources)
  add_executable(${name}_tests ${sources})
  # Half of what a dozen tests take goes into what they include, so that two dozen at once take a quarter less for each. A precompiled
  # header of GoogleTest would save a tenth of that, and cost more to make than it saves in a program of few batches.
  certile_compile_together(${name}_tests 24)
  target_link_libraries(${name}_tests PRIVATE ${ARGN} GTest::gtest_main certile_warnings)
  # What is tested is optimised; to optimise the tests, too, takes a third of their compilation, with sanitizers half of it.
  target_compile_options(${name}_tests PRIVATE -O0)

  set(prefix ${name})
  set(program ${name}_tests)
  set(emulator ${CMAKE_CROSSCOMPILING_EMULATOR})
  list(JOIN emulator " " emulator)
  set(properties ${certile_test_properties})
  set(left_out ${certile_suites_left_out})
  string(CONCAT starts_processes "include .conformance/(testing/(program|asked_backend|example_runs|started)|run/runs)|"
    "(fork|system|popen|survive|spawn|EXIT|DEATH)[(]|start_backend|open_asker|Isolate |run_plan|KeptWorker|caught_by|try_laws|"
    "include .(backends/worker/(lives|process|worker)|bench/.*bench_command|property_tests/search|conformance/(run/installation|explain/place_rules))")
  set(whole "^(BudgetRun|EarlyEnd|Explanations|Search|.*SameRecords|ShortOfMeans|Verify|ClaimCommand|Golden|Resume|WaitingRun|Shards|RunPlan|OneCaseOfATier|Plan|ReportsOfRecords|.*FailingCalls.*|SelfTestOfSmoke)$")
  set(sanitized "^(OfEachKind/HostilePlugin|Asker|Isolate|HostileBackend|ChangedState|Worker.*|KeptWorker)$")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/test_suites.cmake.in ${name}_suites.cmake.in @ONLY)
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake INPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake.in)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake)
endfunction()

# certile_definitions(VARIABLE): the names of the definitions, in the order of reports.
function(certile_definitions variable)
  set(file ${PROJECT_SOURCE_DIR}/reference/values/definitions.inc)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} rows REGEX "^DEFINITION")
  list(TRANSFORM rows REPLACE "^[^\"]*\"([^\"]*)\".*" "\\1")
  set(${variable} ${rows} PARENT_SCOPE)
endfunction()
