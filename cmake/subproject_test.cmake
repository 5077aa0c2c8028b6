# Includes the tree in SOURCE in another project, as FetchContent does: nothing is built but what that project asks for.
cmake_minimum_required(VERSION 3.25)

set(folder "${BUILD}/subproject test")
file(REMOVE_RECURSE "${folder}")
file(MAKE_DIRECTORY "${folder}")
file(COPY_FILE "${SOURCE}/backends/plugin/example.c" "${folder}/kernels.c")
file(WRITE "${folder}/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.25)
project(kernels LANGUAGES C)
include(FetchContent)
FetchContent_Declare(certile SOURCE_DIR "${CERTILE}")
FetchContent_MakeAvailable(certile)
add_library(kernels MODULE kernels.c)
target_link_libraries(kernels PRIVATE certile::plugin_abi)
if(CERTIFY)
  certile_certify(TARGET kernels)
endif()
]])

# configure(BUILD OPTION...): leaves the exit code in `code`, and what was printed in `said`.
function(configure build)
  execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S "${folder}" -B "${folder}/${build}" -DCERTILE=${SOURCE}
                  -DCMAKE_C_COMPILER=${CC} ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  set(code "${code}" PARENT_SCOPE)
  set(said "${output}${errors}" PARENT_SCOPE)
endfunction()

# The project has no C++ compiler, and finds none of certile's libraries.
configure(plain -DCMAKE_CXX_COMPILER=/none)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "a project that includes certile cannot be configured:\n${said}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build "${folder}/plain" RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE errors)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "a library with certile's header does not build:\n${said}${errors}")
endif()
file(GLOB_RECURSE built "${folder}/plain/*.o" "${folder}/plain/*.a" "${folder}/plain/*.so")
list(FILTER built EXCLUDE REGEX "CompilerId")
list(TRANSFORM built REPLACE "^.*/" "")
if(NOT built STREQUAL "kernels.c.o;libkernels.so")
  message(FATAL_ERROR "built were ${built}")
endif()

configure(certified -DCERTIFY=ON)
if(code EQUAL 0 OR NOT said MATCHES "certile_certify needs the program")
  message(FATAL_ERROR "certile_certify() without the program said:\n${said}")
endif()

# With the option the programs are targets, and the tests of certile are not.
configure(whole -DCERTILE_BUILD=ON -DCERTIFY=ON -DCMAKE_CXX_COMPILER=${CXX})
if(NOT code EQUAL 0)
  message(FATAL_ERROR "CERTILE_BUILD=ON cannot be configured:\n${said}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build "${folder}/whole" --target help OUTPUT_VARIABLE targets)
if(NOT targets MATCHES "certile: phony" OR targets MATCHES "conformance_tests")
  message(FATAL_ERROR "the targets are:\n${targets}")
endif()
