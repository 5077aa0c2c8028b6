# A part of ./dev: fuzz [TARGET...] [--seconds N], fuzz keep TARGET FILE...
# shellcheck shell=bash disable=SC2154  # the variables of ./dev

fuzz_seeds="$root/conformance/proof/fuzz/seeds"
mapfile -t fuzz_targets < <(basename -a -s .tar.gz "$fuzz_seeds"/*)

need_fuzz_target() { # NAME
  [[ " ${fuzz_targets[*]} " == *" $1 "* ]] || fail "unknown target '$1'; there are: ${fuzz_targets[*]}"
}

# Adds files to the seeds of a target, each under the beginning of its SHA-256. The same seeds give the same bytes of the archive.
keep_seeds() { # TARGET FILE...
  [[ $# -gt 1 ]] || fail "fuzz keep needs a target and files"
  need_fuzz_target "$1"
  local archive="$fuzz_seeds/$1.tar.gz" folder file
  folder="$(mktemp -d)"
  tar -xzf "$archive" -C "$folder" || exit 3
  for file in "${@:2}"; do
    [[ -f $file ]] || fail "there is no file '$file'"
    cp "$file" "$folder/$(sha256sum <"$file" | cut -c1-12)"
  done
  (cd "$folder" && tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 -cf - -- *) | gzip -9n >"$archive"
  rm -r "$folder"
}

# Each target's corpus grows in build/fuzz/corpus/; it begins with the seeds of the tree.
command_fuzz() {
  local seconds=60 targets=() folder="$root/build/fuzz"
  [[ ${1:-} != keep ]] || { keep_seeds "${@:2}"; return; }
  while [[ $# -gt 0 ]]; do
    case "$1" in
      --seconds)
        [[ ${2:-} =~ ^[0-9]+$ ]] || fail "--seconds needs a whole number"
        seconds="$2"
        shift
        ;;
      -*) fail "fuzz takes targets and --seconds, not '$1'" ;;
      *) need_fuzz_target "$1"; targets+=("$1") ;;
    esac
    shift
  done
  [[ ${#targets[@]} -gt 0 ]] || targets=("${fuzz_targets[@]}")
  need "${build_packages[@]}" "${test_packages[@]}" "${clang_packages[@]}" && build fuzz certile-fuzz || exit 3
  for target in "${targets[@]}"; do
    rm -rf "$folder/seeds/$target"
    mkdir -p "$folder"/{seeds,corpus}/"$target" "$folder/found"
    tar -xzf "$fuzz_seeds/$target.tar.gz" -C "$folder/seeds/$target" || exit 3
    say "fuzzing $target for $seconds s"
    "$folder/bin/certile-fuzz" "--target=$target" "$folder"/{corpus,seeds}/"$target" "-max_total_time=$seconds" -timeout=10 \
      -rss_limit_mb=2048 -artifact_prefix="$folder/found/$target-" -print_final_stats=1 -print_funcs=0 -verbosity=0 ||
      { say "the inputs on which $target failed are in build/fuzz/found/; once fixed: ./dev fuzz keep $target FILE..."; exit 1; }
  done
}
