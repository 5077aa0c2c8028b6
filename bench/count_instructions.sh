#!/usr/bin/env bash
# count_instructions.sh CERTILE-BENCH [BACKEND...]: counts the instructions of one call on a tiny case with Callgrind, and prints a line
# `BACKEND INSTRUCTIONS LITERAL` each.  The counts depend only on the compiler and on the processor's features as Valgrind shows them.
set -euo pipefail

[[ $# -ge 1 && -x $1 ]] || { echo "usage: count_instructions.sh CERTILE-BENCH [BACKEND...]" >&2; exit 2; }
command -v valgrind >/dev/null || { echo "count_instructions.sh: valgrind is missing: apt-get install valgrind" >&2; exit 2; }
program="$1"
shift
backends=("$@")
[[ ${#backends[@]} -gt 0 ]] || backends=(kernel simd scalar eigen xtensor)

cases=(
  'onnx-tile-13 f32[2,3,4] x i64{1,2,3}'
  'onnx-tile-13 f32[4,8] x i64{2,2}'
  'onnx-tile-13 i64[1,16] x i64{8,1}'
  'onnx-tile-13 f16[128] x i64{16}'
)
calls=1000

# Prints the instructions of all calls; nothing if the backend cannot make them.
collected() { # BACKEND, LITERAL
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='certile_counted_*' \
    "$program" count "$1" "$2" "$calls" 2>&1 >/dev/null | sed -n 's/^==[0-9]*== Collected : \([0-9]*\)$/\1/p'
}

for literal in "${cases[@]}"; do
  for backend in memset "${backends[@]}"; do
    total="$(collected "$backend" "$literal")"
    if [[ -z $total || $total == 0 ]]; then
      echo "# $backend was not counted on $literal"
      continue
    fi
    echo "$backend $(((total + calls / 2) / calls)) $literal"
  done
done
