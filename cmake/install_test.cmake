# Installs the build in BUILD to a separate prefix, and uses the installed files as a user would: from another folder.
cmake_minimum_required(VERSION 3.25)

set(prefix "${BUILD}/install test/prefix")
set(elsewhere "${BUILD}/install test/elsewhere")
file(REMOVE_RECURSE "${BUILD}/install test")
file(MAKE_DIRECTORY "${elsewhere}")

include("${CMAKE_CURRENT_LIST_DIR}/running.cmake")
run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${prefix}")
foreach(file IN ITEMS bin/certile libexec/certile/certile-host include/certile/certile_plugin.h share/certile/examples/example.c
                      share/doc/certile/README.md share/doc/certile/LICENSE share/doc/certile/docs/limitations.md)
  if(NOT EXISTS "${prefix}/${file}")
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()

run(${PYTHON} "${SOURCE}/tools/check_structure.py" --links "${prefix}/share/doc/certile")

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
  expect("1 compared: 0 faster, 0 slower, 1 no difference")
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

# And a program.  The options are quoted for a shell, which has to read them: the prefix has a space.
run(sh -c "eval \"${CC} -std=c99 -O2 $(\"$1\" --cflags) -o example '$2'/example.c '$2'/program.c $(\"$1\" --libs)\"" sh
    ${certile} "${prefix}/share/certile/examples")
run(${certile} certify ./example --tier smoke)
expect("CONFORMANT (full")

include("${CMAKE_CURRENT_LIST_DIR}/kernels_project.cmake")
