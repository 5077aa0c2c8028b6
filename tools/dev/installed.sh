# A part of ./dev: test --install
# shellcheck shell=bash disable=SC2154,SC2016  # the variables of ./dev; texts for other programs

# make_wheel_from FOLDER: copies the tree to FOLDER as a checkout has it, and makes a wheel there as a user of pip does, who has
# neither a build directory nor the environment of ./dev packages.
make_wheel_from() {
  local launchers=()
  copy_tree "$1" || return
  if command -v ccache >/dev/null; then
    # And the compiler under the name that build/release has in its cache.
    launchers=(CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CC=/usr/bin/cc CXX=/usr/bin/c++)
  fi
  say "making a wheel from a checkout, with pip"
  "$interpreter" -m venv "$1/build/venv"
  logged pip-wheel env "${launchers[@]}" "$1/build/venv/bin/pip" wheel --no-deps --wheel-dir "$1/build/wheels" "$1" &&
    logged pip-wheel "$1/build/venv/bin/pip" install --no-index "$1/build/wheels"/certile-*.whl &&
    "$1/build/venv/bin/certile" certify scalar --tier smoke --quiet
}

# Uses the packages as their users do: CMake projects here, everything else in a bare root.
test_installed() {
  need_bare_root with-python ca-certificates,python3,python3-pip,python3-venv
  need make python3-yaml || exit 3
  command_packages >&2
  local packages="$root/build/packages" work folder code=0
  work="$(mktemp -d "$root/build/installed.XXXXXX")"
  folder="$work/folder"
  mkdir "$folder" "$work/archive"
  tar -xzf "$packages"/certile-*.tar.gz -C "$work/archive" --strip-components=1
  "$interpreter" -m venv "$work/venv"
  "$work/venv/bin/pip" install -q --no-index "$packages"/certile-*.whl
  "$interpreter" "$root/tools/check_structure.py" --links "$work/archive/share/doc/certile" || code=1
  make_wheel_from "$work/checkout" || code=1
  local prefix oldest
  oldest="$(basename "$packages"/certile-*.whl | sed 's/.*manylinux_\([0-9]*\)_\([0-9]*\)_.*/\1.\2/')"
  grep -qF "glibc $oldest or later" "$root/docs/install.md" || { say "docs/install.md does not state glibc $oldest"; code=1; }
  for prefix in archive venv; do
    if cmake -DPREFIX="$work/$prefix" -DELSEWHERE="$work/of $prefix" -DCC=cc -P "$root/cmake/kernels_project.cmake"; then
      say "a CMake project finds certile in the $prefix"
    else
      code=1
    fi
  done
  cp "$packages"/certile* "$root/tools/install/in_bare_root.sh" "$work/of archive/toy/build/"{lib*.so,*_program} "$folder"
  # The worker of the tutorial, with its fix.
  sed -n '/^```python file=mine/,/^```$/{/^```/!p}' "$root/docs/certify-a-framework.md" |
    sed 's/counts = repeats.tolist()/counts = [max(count, 0) for count in repeats.tolist()]/' >"$folder/mine.py"
  "$interpreter" "$root/tools/install/ci_test.py" "$root" "$packages"/certile-*.whl "$folder/libright.so" "$folder/libwrong.so" || code=1
  local kind
  for kind in wheel deb; do
    in_bare_root with-python "$work/$kind" "$folder:/certile" -- bash /certile/in_bare_root.sh "$kind" /certile || code=1
  done
  rm -rf "$work"
  exit "$code"
}
