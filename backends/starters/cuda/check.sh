#!/bin/sh
# Builds the library and certifies it.  Needs CMake 3.25, make or Ninja, nvcc, and certile on the PATH.
set -e
command -v make >/dev/null || export CMAKE_GENERATOR=Ninja
cmake -B build
cmake --build build
ctest --test-dir build --output-on-failure
