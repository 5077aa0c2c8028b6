# A part of ./dev: bench
# shellcheck shell=bash disable=SC2154,SC2034  # the variables of ./dev

picture_packages=(python3-matplotlib)

# Builds the benchmarks; sets `program`, and `baseline` to NumPy's options if it can be installed.  Runtimes keep memory that
# they free, as long-running programs do: otherwise those that make a new output in each call wait for the system's pages.
prepare_bench() {
  local directory="${CERTILE_BUILD:-$root/build/dev}"
  start_adapters="exec env MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=1000000000000 MALLOC_TOP_PAD_=67108864 OMP_NUM_THREADS=1 "
  baseline=()
  if [[ -z ${CERTILE_BUILD:-} ]]; then
    need "${build_packages[@]}" && build dev certile-bench certile_plugins || exit 3
    if need_environment numpy; then
      baseline=(--baseline "numpy=$(adapter_spelling numpy)")
    else
      say "there is no baseline: NumPy could not be installed"
    fi
  fi
  program="$directory/bin/certile-bench"
  [[ -x $program ]] || fail "there is no program $program: CERTILE_BUILD has to name a build directory"
  mkdir -p "$root/build/bench"
}

# reports WORD...: runs the Python that makes reports of runs.
reports() { "$interpreter" -B "$root/tools/bench" "$@"; }

# Sets `picture` to the options that draw one in FILE, if it can be drawn.
prepare_picture() { # FILE
  [[ -n ${CERTILE_BUILD:-} ]] || need "${picture_packages[@]}" || true
  picture=(--picture "$1")
  "$interpreter" -c 'import matplotlib' 2>/dev/null || { say "there is no picture: matplotlib is not installed"; picture=(); }
}

command_bench() {
  if [[ ${1:-} == --document ]]; then
    [[ $# -eq 1 ]] || fail "bench --document takes nothing else, not '${*:2}'"
    command_document
    return
  fi
  if [[ ${1:-} == compare ]]; then
    reports "$@" || exit
    return
  fi
  local program baseline picture words code=0
  [[ $# -gt 0 ]] || set -- --suite workloads
  prepare_bench
  prepare_picture "$root/build/bench/bench.svg"
  spell_adapters "$@"
  # The last of repeated options counts, so every one of these can be overridden.
  reports run "$program" "${baseline[@]}" --budget 0.3 --json "$root/build/bench/bench.json" "${picture[@]}" "${words[@]}" || code=$?
  exit "$code"
}

# Runs for the document, in three processes: results and tables, NAME-1 to NAME-3, in build/bench. A failing case is shown in them, and
# does not stop the document.
time_for_document() { # NAME, OPTION...
  local code process
  for process in 1 2 3; do
    code=0
    say "timing $1, $process of 3"
    reports run "$program" "${baseline[@]}" "${@:2}" --hot --verbose --json "$root/build/bench/$1-$process.json" \
      >"$root/build/bench/$1-$process.txt" || code=$?
    [[ $code -le 1 ]] || exit "$code"
    files+=("build/bench/$1-$process.json")
  done
}

# docs/performance.md and its picture: the workloads, random shapes of a seed that nothing was tuned with, the workloads compared
# with the installed runtimes, tiny calls through the plugin's table, and their instructions.
command_document() {
  local program baseline results="$root/build/bench"
  prepare_bench
  need "${picture_packages[@]}" || exit 3
  local peer words files=()
  time_for_document workloads --suite workloads --budget 0.05 --picture "$root/docs/performance.svg"
  time_for_document random simd openmp eigen xtensor --random 120 --seed 20261 --budget 0.03
  time_for_document tiny simd "${program%/bin/*}/lib/simd.so" --suite tiny --budget 0.2
  # One at a time, because each of them keeps outputs of hundreds of mebibytes.
  for peer in onnxruntime openvino pytorch; do
    need_environment "$(table_line adapter "$peer" | cut -d' ' -f1)" || { say "$peer is left out"; continue; }
    spell_adapters "$peer"
    time_for_document "$peer" simd openmp "${words[@]}" --suite workloads --budget 0.02
  done
  say "counting instructions"
  "$program" count >"$results/instructions.txt" || exit
  (cd "$root" && reports goals "${files[@]}" --instructions "$results/instructions.txt" \
    >"$results/performance.md") || exit
  cp "$results/performance.md" "$root/docs/performance.md"
  say "docs/performance.md and docs/performance.svg are written; the tables are in build/bench"
}
