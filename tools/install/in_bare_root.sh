#!/bin/bash
# in_bare_root.sh wheel|deb FOLDER: installs certile in a Debian without compiler and source tree, and uses it as its users do.
# FOLDER has the packages, two libraries built elsewhere, libright.so and libwrong.so, two programs of them, right_program and
# wrong_program, and a worker in Python, mine.py.
# tools/dev/installed.sh starts it in a root folder that holds nothing else.
set -uo pipefail
kind="$1" folder="$2"
failed=no

# check CODE TEXT COMMAND...: the command must end with the code, and print the text.
check() {
  local code="$1" text="$2" printed ended=0
  shift 2
  printed="$("$@" 2>&1)" || ended=$?
  if [[ $ended -eq $code && $printed == *"$text"* ]]; then
    printf 'ok    %s\n' "$*"
  else
    printf 'FAIL  %s\n      exit code %s, not %s; or this is missing: %s\n%s\n' "$*" "$ended" "$code" "$text" "$printed"
    failed=yes
  fi
}

for compiler in cc gcc g++ clang cmake; do
  ! command -v "$compiler" >/dev/null || { printf 'FAIL  this root has %s\n' "$compiler"; exit 1; }
done
cd /tmp || exit

start="$(date +%s%N)"
if [[ $kind == wheel ]]; then
  python3 -m venv /opt/certile
  PATH="/opt/certile/bin:$PATH"
  start="$(date +%s%N)"
  check 0 "Successfully installed certile" pip install --no-index "$folder"/certile-*.whl
  prefix=/opt/certile
else
  check 0 "Setting up certile" dpkg --install "$folder"/certile_*.deb
  prefix=/usr
fi
check 0 "CONFORMANT (full" certile certify scalar --tier smoke
printf 'time  %s: installed, and a first verdict, after %s ms\n' "$kind" "$((($(date +%s%N) - start) / 1000000))"

check 0 "-I$prefix/include/certile" certile --cflags
check 0 "4,6]{" certile oracle 'openvino-tile-1 f32[2,3] x i64{2,2}'
check 0 "certile-bench " certile-bench --version
check 0 "Usage" certile-properties --help
check 0 "CONFORMANT (full" certile certify "$folder/libright.so" --tier smoke --records right.jsonl
check 0 "  holds" certile verify right.jsonl
check 1 "onnx-tile-13 u8[1]" certile certify "$folder/libwrong.so" --tier smoke
check 0 "CONFORMANT (full" certile certify "$folder/right_program" --tier smoke
check 1 "onnx-tile-13 u8[1]" certile certify "$folder/wrong_program" --tier smoke
check 4 "not one that links certile's runner" certile certify /bin/true

# A runtime, in the Python of the environment.
if [[ $kind == deb ]]; then
  python3 -m venv /opt/python
  PATH="/opt/python/bin:$PATH"
  export PYTHONPATH=/usr/share/certile/python # for pytest's plugin
  plugin=(-p pytest_certile)
fi
check 4 "No module named 'numpy'" certile certify numpy --tier smoke
check 0 "  numpy        19 MB to download" certile environments
check 0 "MB of disk in /tmp/data/certile/environments/numpy" env XDG_DATA_HOME=/tmp/data certile environments make numpy
check 0 "pass" env XDG_DATA_HOME=/tmp/data certile run numpy 'openvino-tile-1 f32[2,3] x i64{2,2}'
check 4 "certile environments make numpy" certile run numpy 'openvino-tile-1 f32[2,3] x i64{2,2}'
check 0 "Successfully installed" pip install numpy pytest
check 0 "$prefix/include/certile" python -c 'import certile; print(certile.include_dir())'
check 0 "pass" certile run numpy 'openvino-tile-1 f32[2,3] x i64{2,2}'
check 1 "numpy " certile certify numpy --tier smoke
check 0 "It speaks the protocol" python -m certile check "$folder/mine.py:tile"
check 0 " passed" python -m pytest ${plugin[@]+"${plugin[@]}"} -q --certile-backend="$folder/mine.py:tile" "$folder"

check 0 "AS IT MUST BE" certile self-test
[[ $failed == no ]]
