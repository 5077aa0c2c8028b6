#!/bin/sh
# Builds the library and certifies it.  Needs CMake 3.25, nvcc, and certile on the PATH.
set -e
cmake -B build
cmake --build build
ctest --test-dir build --output-on-failure
