# A part of ./dev: lint [NAME...]
# shellcheck shell=bash disable=SC2154,SC2185  # the variables of ./dev; find gets its files

lint_names=(tidy shell python spelling)
lint_tools="$root/build/environments/lint/bin"

# files_of PATTERN...: the files that git knows, or would know, each ended by a NUL.
files_of() { git -C "$root" ls-files -z --cached --others --exclude-standard -- "$@"; }

# The configuration is .clang-tidy. Read again is what changed since the last run without findings; every file if a header did.
lint_tidy() {
  need git "${build_packages[@]}" "${test_packages[@]}" && need_environment lint && configure alone || exit 3
  local build="$root/build/alone" since="$root/build/alone/tidied" files=("^$root/(?!build/)")
  changed() { files_of "$@" | (cd "$root" && find -files0-from - -newer "$since"); }
  if [[ -e $since && -z $(changed '*.h' '*.hpp' '*.inc' .clang-tidy tools/dev/environments.txt) ]]; then
    mapfile -t files < <(changed '*.c' '*.cpp' | sed "s|.*|^$root/&\$|")
    [[ ${#files[@]} -gt 0 ]] || { printf 'clang-tidy: nothing has changed since it found nothing\n'; return 0; }
  fi
  touch "$since.next"
  # clang-tidy comes without omp.h, and the folder of the compiler's has headers that fit only the compiler.
  mkdir -p "$build/include" && ln -sf "$(c++ -print-file-name=include)/omp.h" "$build/include/omp.h"
  "$lint_tools/run-clang-tidy.py" -clang-tidy-binary "$lint_tools/clang-tidy" -p "$build" -quiet -hide-progress \
    -warnings-as-errors='*' -removed-arg=-fno-gnu-unique "-extra-arg=-idirafter$build/include" "${files[@]}" &&
    mv "$since.next" "$since" && printf 'clang-tidy: 0 findings\n'
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

# Left out are texts of others, and words of code and of tests.
lint_spelling() {
  need git codespell || exit 3
  files_of '*.md' '*.py' '*.sh' '*.cmake' '*.c' '*.h' '*.cpp' '*.hpp' '*.inc' '*.txt' dev .ci/run ':!reference/spec/sources' |
    xargs -0 codespell --ignore-words-list crate,sclar,certfy,fo && printf 'codespell: 0 findings\n'
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
