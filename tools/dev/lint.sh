# A part of ./dev: lint [NAME...]
# shellcheck shell=bash disable=SC2154  # the variables of ./dev

lint_names=(tidy shell python schemas)
lint_tools="$root/build/environments/lint/bin"

# files_of PATTERN...: the files that git knows, or would know, each ended by a NUL.
files_of() { git -C "$root" ls-files -z --cached --others --exclude-standard -- "$@"; }

# The configuration is .clang-tidy.
lint_tidy() {
  need "${build_packages[@]}" "${test_packages[@]}" && need_environment lint && configure alone || exit 3
  python3 "$root/tools/lint_tidy.py" "$lint_tools/clang-tidy" "$root" "$root/build/alone"
}

lint_shell() {
  local files
  need git shellcheck || exit 3
  mapfile -d '' -t files < <(files_of dev .ci/run '*.sh')
  shellcheck -x "${files[@]}" && printf 'shellcheck: %d files, 0 findings\n' "${#files[@]}"
}

# The configuration is pyproject.toml. The package of workers has types throughout; elsewhere the existing ones are checked.
lint_python() {
  local files code=0 package=backends/worker/python
  need git && need_environment lint || exit 3
  mapfile -d '' -t files < <(files_of '*.py')
  "$lint_tools/ruff" check --quiet "${files[@]}" || code=1
  "$lint_tools/mypy" --no-error-summary "${files[@]}" || code=1
  "$lint_tools/mypy" --no-error-summary --strict "$package/certile" "$package/pytest_certile.py" || code=1
  [[ $code -ne 0 ]] || printf 'ruff, mypy: %d files, 0 findings\n' "${#files[@]}"
  return "$code"
}

lint_schemas() {
  need "${build_packages[@]}" "${test_packages[@]}" && need_environment lint && build dev all || exit 3
  python3 "$root/tools/lint_schemas.py" "$lint_tools/check-jsonschema" "$root" "$root/build/dev"
}

# Runs every chosen linter, even after one that finds something.
command_lint() {
  local name code=0 chosen=("$@")
  [[ $# -gt 0 ]] || chosen=("${lint_names[@]}")
  for name in "${chosen[@]}"; do
    [[ " ${lint_names[*]} " == *" $name "* ]] || fail "lint knows no '$name'; there are: ${lint_names[*]}"
  done
  cd "$root" || exit 3
  for name in "${chosen[@]}"; do
    "lint_$name" || { say "lint $name: there are findings"; code=1; }
  done
  exit "$code"
}
