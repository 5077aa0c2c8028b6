# A part of ./dev: coverage
# shellcheck shell=bash disable=SC2154  # the variables of ./dev

coverage_packages=(gcovr)

# Prints the lines and branches that the tests reach, folder by folder.
coverage_of_folders() { # SUMMARY.json of gcovr
  python3 - "$1" <<'PYTHON'
import collections, json, os, sys
folders = collections.defaultdict(collections.Counter)
for file in json.load(open(sys.argv[1], encoding="utf-8"))["files"]:
    folders[os.path.dirname(file["filename"])].update({name: file[name] for name in file if name.endswith(("_covered", "_total"))})
for folder, count in sorted(folders.items()):
    print(f"{folder:<28}", *(f"{100 * count[f'{what}_covered'] / max(1, count[f'{what}_total']):5.1f} % of {count[f'{what}_total']} {noun}"
                             for what, noun in (("line", "lines"), ("branch", "branches"))))
PYTHON
}

# The slow tests — of every shape, of whole runtimes —, and those that only run the program again as a document shows it, would
# add many minutes and next to no line.
command_coverage() {
  [[ $# -eq 0 ]] || fail "coverage takes nothing, not '$*'"
  local directory="$root/build/coverage" code=0
  need "${build_packages[@]}" "${test_packages[@]}" "${coverage_packages[@]}" && build coverage all || exit 3
  find "$directory" -name '*.gcda' -delete
  local left_out='^(atlas|dev|documents|install|runtimes|self-test|structure|worker):|^conformance: SelfTestOfSmoke$|^reference: Oracles$'
  (cd "$root" && ctest --test-dir "$directory" -j2 --timeout 3600 -E "$left_out" >"$directory/tests.txt" 2>&1) || code=$?
  [[ $code -eq 0 ]] || { tail -n 20 "$directory/tests.txt" >&2; say "not every test passed: $directory/tests.txt"; }
  mkdir -p "$directory/html"
  local folders=(reference backends conformance property_tests bench)
  (cd "$root" && gcovr --root . --object-directory "$directory" "${folders[@]/#/--filter=}" -j2 \
    --exclude '.*_test\.[ch]pp' --exclude '.*/(mutants|hostile|test_plugins|fuzz|faults)/.*' --exclude-throw-branches \
    --exclude-unreachable-branches --html-details "$directory/html/index.html" --json-summary "$directory/summary.json" --txt - \
    --print-summary "$directory") || exit 3
  coverage_of_folders "$directory/summary.json" || exit 3
  exit "$code"
}
