# A part of ./dev: release
# shellcheck shell=bash disable=SC2154  # the variables of ./dev

# Prints a line for each reason not to release this tree as it is.
release_findings() { # VERSION
  local changed
  changed="$(git -C "$root" status --porcelain 2>&1)" && [[ -z $changed ]] || printf 'the tree has changes that are not committed\n'
  ! git -C "$root" rev-parse -q --verify "refs/tags/v$1" >/dev/null 2>&1 || printf 'there is a tag v%s already\n' "$1"
  grep -qE "^## $1, [0-9]{4}-[0-9]{2}-[0-9]{2}\$" "$root/CHANGELOG.md" ||
    printf "CHANGELOG.md has no line '## %s, YEAR-MONTH-DAY'\n" "$1"
  grep -qF "__version__ = \"$1\"" "$root/backends/worker/python/certile/__init__.py" ||
    printf 'the Python package has another version than %s\n' "$1"
  local others
  others="$(grep -noE '(@|ref: )v[0-9]+\.[0-9]+\.[0-9]+' "$root/docs/ci.md" | grep -vF "v$1" || true)"
  [[ -z $others ]] || printf 'docs/ci.md names another version than v%s: %s\n' "$1" "$others"
}

# Checks that this tree can be released, and lays out what to publish in build/packages, with digests.
command_release() {
  [[ $# -eq 0 ]] || fail "release takes nothing, not '$*'"
  local version findings packages="$root/build/packages"
  version="$(sed -n 's/^project(certile VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt")"
  findings="$(release_findings "$version")"
  if [[ -n $findings ]]; then
    while IFS= read -r line; do say "$line"; done <<<"$findings"
    say "certile $version cannot be released like this"
    exit 1
  fi
  "$root/dev" test || exit
  "$root/dev" lint || exit
  "$root/dev" test --install || exit # makes the packages, and runs the self-test of each
  (cd "$packages" && sha256sum certile* >SHA256SUMS) || exit
  sed -n "/^## $version,/,/^## /{/^## /!p}" "$root/CHANGELOG.md" >"$packages/NOTES.md"
  say "certile $version is ready: publish what is in build/packages, and the tag v$version"
  cat "$packages/SHA256SUMS"
}
