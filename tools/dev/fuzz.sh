# A part of ./dev: fuzz [TARGET...] [--seconds N]
# shellcheck shell=bash disable=SC2154  # the variables of ./dev

# Each target's corpus grows in build/fuzz/corpus/; it begins with the seeds of the tree.
command_fuzz() {
  local seconds=60 targets=() known seeds corpus
  while [[ $# -gt 0 ]]; do
    case "$1" in
      --seconds)
        [[ ${2:-} =~ ^[0-9]+$ ]] || fail "--seconds needs a whole number"
        seconds="$2"
        shift
        ;;
      -*) fail "fuzz takes targets and --seconds, not '$1'" ;;
      *) targets+=("$1") ;;
    esac
    shift
  done
  mapfile -t known < <(basename -a "$root"/conformance/proof/fuzz/seeds/*)
  [[ ${#targets[@]} -gt 0 ]] || targets=("${known[@]}")
  for target in "${targets[@]}"; do
    [[ " ${known[*]} " == *" $target "* ]] || fail "unknown target '$target'; there are: ${known[*]}"
  done
  need "${build_packages[@]}" "${clang_packages[@]}" && build fuzz certile-fuzz || exit 3
  for target in "${targets[@]}"; do
    seeds="$root/conformance/proof/fuzz/seeds/$target"
    corpus="$root/build/fuzz/corpus/$target"
    mkdir -p "$corpus" "$root/build/fuzz/found"
    say "fuzzing $target for $seconds s"
    "$root/build/fuzz/bin/certile-fuzz" "--target=$target" "$corpus" "$seeds" "-max_total_time=$seconds" -timeout=10 \
      -rss_limit_mb=2048 -artifact_prefix="$root/build/fuzz/found/$target-" -print_final_stats=1 -print_funcs=0 -verbosity=0 ||
      { say "the inputs on which $target failed are in build/fuzz/found/; once fixed, they belong in ${seeds#"$root/"}"; exit 1; }
  done
}
