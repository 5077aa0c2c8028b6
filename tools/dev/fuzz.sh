# A part of ./dev: fuzz [TARGET...] [--seconds N], fuzz keep TARGET FILE...
# shellcheck shell=bash disable=SC2154  # the variables of ./dev

fuzz_seeds="$root/conformance/proof/fuzz/seeds"

# Prints the targets on one line.
fuzz_targets() { basename -a -s .tar.gz "$fuzz_seeds"/* | paste -sd' '; }

need_fuzz_target() { # NAME
  [[ " $(fuzz_targets) " == *" $1 "* ]] || fail "unknown target '$1'; there are: $(fuzz_targets)"
}

# Adds files to the seeds of a target, each under the beginning of its SHA-256. The same seeds give the same bytes of the archive.
keep_seeds() { # TARGET FILE...
  [[ $# -gt 1 ]] || fail "fuzz keep needs a target and files"
  need_fuzz_target "$1"
  local archive="$fuzz_seeds/$1.tar.gz" folder file
  shift
  for file in "$@"; do
    [[ -f $file ]] || fail "there is no file '$file'"
  done
  folder="$(mktemp -d)"
  tar -xzf "$archive" -C "$folder" || exit 3
  for file in "$@"; do
    cp "$file" "$folder/$(sha256sum <"$file" | cut -c1-12)"
  done
  (cd "$folder" && tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 -cf - -- *) | gzip -9n >"$archive"
  rm -r "$folder"
}

# Each target's corpus grows in build/fuzz/corpus/; it begins with the seeds of the tree.
command_fuzz() {
  local seconds=60 targets=() seeds corpus
  if [[ ${1:-} == keep ]]; then
    shift
    keep_seeds "$@"
    return
  fi
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
  [[ ${#targets[@]} -gt 0 ]] || read -r -a targets <<<"$(fuzz_targets)"
  for target in "${targets[@]}"; do
    need_fuzz_target "$target"
  done
  need "${build_packages[@]}" "${test_packages[@]}" "${clang_packages[@]}" && build fuzz certile-fuzz || exit 3
  for target in "${targets[@]}"; do
    seeds="$root/build/fuzz/seeds/$target"
    corpus="$root/build/fuzz/corpus/$target"
    rm -rf "$seeds"
    mkdir -p "$seeds" "$corpus" "$root/build/fuzz/found"
    tar -xzf "$fuzz_seeds/$target.tar.gz" -C "$seeds" || exit 3
    say "fuzzing $target for $seconds s"
    "$root/build/fuzz/bin/certile-fuzz" "--target=$target" "$corpus" "$seeds" "-max_total_time=$seconds" -timeout=10 \
      -rss_limit_mb=2048 -artifact_prefix="$root/build/fuzz/found/$target-" -print_final_stats=1 -print_funcs=0 -verbosity=0 ||
      { say "the inputs on which $target failed are in build/fuzz/found/; once fixed: ./dev fuzz keep $target FILE..."; exit 1; }
  done
}
