# A part of ./dev: mutate [FILE...] [--share N]
# shellcheck shell=bash disable=SC2154  # the variables of ./dev

# Mutants of a plugin are judged by the program, those of certile's own files by its tests, built in build/mutate.
command_mutate() {
  need "${build_packages[@]}" "${test_packages[@]}" && build dev certile || exit 3
  exec python3 "$root/tools/mutation/mutate.py" "$root/build/dev/bin/certile" "$root" "$@"
}
