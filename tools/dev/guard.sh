# A part of ./dev: guard
# shellcheck shell=bash disable=SC2154  # the variables of ./dev

guard_targets=(certile certile-host certile_plugins certile_mutants certile_hostile)

build_in() { # ROOT
  local root="$1"
  build dev "${guard_targets[@]}"
}

# Builds a commit next to this tree, and compares what the two say.
command_guard() {
  [[ $# -gt 0 ]] || fail "guard needs the commit before the change, and takes what tools/guard.py takes"
  local commit before
  commit="$(git -C "$root" rev-parse --verify --quiet "$1^{commit}")" || fail "there is no commit '$1'"
  before="$root/build/guard/$commit"
  need "${build_packages[@]}" python3 && build dev "${guard_targets[@]}" || exit 3
  if [[ ! -d $before ]]; then
    git -C "$root" worktree prune && git -C "$root" worktree add --quiet --detach "$before" "$commit" || exit 3
  fi
  say "building $commit"
  (build_in "$before") || exit 3
  exec python3 "$root/tools/guard.py" "$root/build/dev" "$before/build/dev" "${@:2}"
}
