# certile_part(PATH [LINKS TARGET...]): the C++ files below PATH, which is relative to the source tree, as a static library whose
# name is the path's: conformance/judge is certile_conformance_judge.  A LINKS word with a '/' is the PATH of another part; a part
# may link and include only those, directly or through them; tools/check_structure.py reads these lines and checks the includes.
# main.cpp belongs to a program, *_test.cpp to tests, and files in a folder with a CMakeLists.txt to that one.
function(certile_part path)
  cmake_parse_arguments(PARSE_ARGV 1 part "" "" "LINKS")
  certile_sources(sources ${path} EXCLUDE "(_test|/main)\\.cpp$")
  certile_target_of(target ${path})
  add_library(${target} STATIC ${sources})
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

# certile_target_of(VARIABLE PATH): the name of the part's target.
function(certile_target_of variable path)
  string(REPLACE "/" "_" name ${path})
  set(${variable} certile_${name} PARENT_SCOPE)
endfunction()

# certile_built_from(TARGET): adds built_from() to the target, which names the commit.  It is looked up at every build.
function(certile_built_from target)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/built_from.cpp)
  add_custom_target(certile_commit BYPRODUCTS ${source} COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${source}
    -P ${PROJECT_SOURCE_DIR}/cmake/write_commit.cmake VERBATIM)
  target_sources(${target} PRIVATE ${source})
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
  set(certile_test_properties TEST_FILTER "-*HostilePlugin*" PROPERTIES ENVIRONMENT "CERTILE_EMULATOR=${words}")
endif()

# certile_tests(FOLDER DEPENDS...): every *_test.cpp below the folder as one program, each test known to CTest.
function(certile_tests name)
  if(NOT CERTILE_BUILD_TESTS)
    return()
  endif()
  certile_sources(sources ${name} INCLUDE "_test\\.cpp$")
  add_executable(${name}_tests ${sources})
  target_link_libraries(${name}_tests PRIVATE ${ARGN} GTest::gtest_main certile_warnings)
  # What is tested is optimised; to optimise the tests, too, takes a third of their compilation, with sanitizers half of it.
  target_compile_options(${name}_tests PRIVATE -O0)
  gtest_discover_tests(${name}_tests TEST_PREFIX "${name}: " DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    ${certile_test_properties})
endfunction()

# certile_definitions(VARIABLE): the names of the definitions, in the order of reports.
function(certile_definitions variable)
  set(file ${PROJECT_SOURCE_DIR}/reference/values/definitions.inc)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} rows REGEX "^DEFINITION")
  list(TRANSFORM rows REPLACE "^[^\"]*\"([^\"]*)\".*" "\\1")
  set(${variable} ${rows} PARENT_SCOPE)
endfunction()
