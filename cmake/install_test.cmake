# Installs the build in BUILD to a separate prefix, and uses the installed files as a user would: from another folder.
cmake_minimum_required(VERSION 3.25)

set(prefix "${BUILD}/install test/prefix")
set(elsewhere "${BUILD}/install test/elsewhere")
file(REMOVE_RECURSE "${BUILD}/install test")
file(MAKE_DIRECTORY "${elsewhere}")

# run(COMMAND...): in the other folder; the test ends where a command fails. Leaves its standard output in `said`.
function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY "${elsewhere}" RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE errors)
  if(NOT code EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "exit code ${code}: ${command}\n${output}${errors}")
  endif()
  set(said "${output}" PARENT_SCOPE)
endfunction()

function(expect text)
  string(FIND "${said}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "'${text}' is missing in:\n${said}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${prefix}")
foreach(file IN ITEMS bin/certile libexec/certile/certile-host include/certile/certile_plugin.h share/certile/examples/example.c
                      share/doc/certile/README.md share/doc/certile/LICENSE share/doc/certile/docs/limitations.md)
  if(NOT EXISTS "${prefix}/${file}")
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()

set(certile "${prefix}/bin/certile")
run(${certile} list)
expect("scalar")
run(${certile} run scalar "openvino-tile-1 f32[2,3] x i64{2,2}")
expect("pass")

# A run is measured, and judged by the installed Python.
if(EXISTS "${prefix}/bin/certile-bench")
  run("${prefix}/bin/certile-bench" scalar --rounds 6 --budget 1 --threads 1 --hot --case "onnx-tile-13 f32[3,4] x i64{2,3}"
      --json run.json)
  run(${PYTHON} "${prefix}/share/certile/bench" compare run.json run.json)
  expect("1 figure compared: 0 faster, 0 slower, 1 no difference")
endif()

# The specification and the corpora are in the program, not read from where it was built.
file(STRINGS "${certile}" data_files REGEX "${SOURCE}/.*\\.(md|tile)$")
if(data_files)
  message(FATAL_ERROR "the installed program names files of the source tree: ${data_files}")
endif()

# What is installed suffices to build a plugin.
run(${CC} -std=c99 -O2 -shared -fPIC "-I${prefix}/include/certile" "${prefix}/share/certile/examples/example.c"
    -o "${elsewhere}/libexample.so")
run(${certile} run ./libexample.so "onnx-tile-13 f32[2,3] x i64{2,2}")
expect("pass")

# A project of a kernel's author: five lines make tests of its libraries, and the wrong one's names a failing case.
file(READ "${prefix}/share/certile/examples/example.c" example)
string(REPLACE "memcpy(to, begin, block);" "memset(to, 0, block);" wrong "${example}")
file(WRITE "${elsewhere}/toy/right.c" "${example}")
file(WRITE "${elsewhere}/toy/wrong.c" "${wrong}")
file(WRITE "${elsewhere}/toy/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES C)
enable_testing()
find_package(certile 0.1 REQUIRED)
foreach(kernel IN ITEMS right wrong)
  add_library(${kernel} MODULE ${kernel}.c)
  target_link_libraries(${kernel} PRIVATE certile::plugin_abi)
  certile_certify(TARGET ${kernel} TIER smoke LABELS tile)
endforeach()
]])
run(${CMAKE_COMMAND} -S toy -B toy/build "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_C_COMPILER=${CC})
run(${CMAKE_COMMAND} --build toy/build)
run(${CMAKE_CTEST_COMMAND} --test-dir toy/build -R "certile: right" --output-on-failure)
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir toy/build -L tile --output-on-failure WORKING_DIRECTORY "${elsewhere}"
                RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_QUIET)
if(code EQUAL 0)
  message(FATAL_ERROR "the test of a wrong library passes:\n${said}")
endif()
expect("50% tests passed, 1 tests failed out of 2")
expect("NOT CONFORMANT (violated: ")
expect("onnx-tile-13 f32[")
