# A part of ./dev: bench
# shellcheck shell=bash disable=SC2154,SC2034  # the variables of ./dev

picture_packages=(python3-matplotlib)

# Builds the benchmarks; sets `program`, and `baseline` to NumPy's options if it can be installed.  Runtimes keep memory that
# they free, as long-running programs do: otherwise those that make a new output in each call wait for the system's pages.
prepare_bench() {
  start_adapters="exec env MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=1000000000000 MALLOC_TOP_PAD_=67108864 OMP_NUM_THREADS=1 "
  baseline=()
  built certile-bench certile_plugins
  program="$directory/bin/certile-bench"
  if [[ -z ${CERTILE_BUILD:-} ]]; then
    need "${picture_packages[@]}" || true
    if need_environment numpy; then
      baseline=(--baseline "numpy=$(adapter_spelling numpy)")
    else
      say "there is no baseline: NumPy could not be installed"
    fi
  fi
  mkdir -p "$root/build/bench"
}

# reports WORD...: runs the Python that makes reports of runs.
reports() { "$interpreter" -B "$root/tools/bench" "$@"; }

command_bench() {
  case "${1:-}" in
    --document) document_bench; return ;;
    compare) reports "$@" || exit; return ;;
    "") set -- --suite workloads ;;
  esac
  local directory program baseline words picture=(--picture "$root/build/bench/bench.svg") code=0
  prepare_bench
  "$interpreter" -c 'import matplotlib' 2>/dev/null || { say "there is no picture: matplotlib is not installed"; picture=(); }
  spell_adapters "$@"
  # The last of repeated options counts, so every one of these can be overridden.
  reports run "$program" "${baseline[@]}" --budget 0.3 --json "$root/build/bench/bench.json" "${picture[@]}" "${words[@]}" || code=$?
  exit "$code"
}

# Runs for the document, in three processes. A failing case is shown in the document, and does not stop it.
time_for_document() { # NAME, OPTION...
  local code process result
  for process in 1 2 3; do
    code=0 result="$root/build/bench/$1-$process"
    say "timing $1, $process of 3"
    reports run "$program" "${baseline[@]}" "${@:2}" --hot --verbose --json "$result.json" >"$result.txt" || code=$?
    [[ $code -le 1 ]] || exit "$code"
    files+=("$result.json")
  done
}

# docs/performance.md and its picture: the workloads, random shapes of a seed that nothing was tuned with, the workloads compared
# with the installed runtimes, tiny calls through the plugin's table, and their instructions.
document_bench() {
  local directory program baseline peer words files=() counts="$root/build/bench/instructions.txt"
  prepare_bench
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
  "$program" count >"$counts" && (cd "$root" && "$interpreter" -B tools/bench/performance.py docs/performance.md "$counts" "${files[@]}") || exit
  say "docs/performance.md and docs/performance.svg are written; the tables are in build/bench"
}
