# A part of ./dev: atlas [NAME...]
# shellcheck shell=bash disable=SC2154  # the variables of ./dev

# Writes docs/atlas.md. Differences are its purpose, not failures; a runtime that cannot start is left out, with a message.
command_atlas() {
  local names folder="$root/build/atlas" code=0
  read -r -a names <<<"$(adapter_names)"
  [[ $# -eq 0 ]] || names=("$@")
  for name in "${names[@]}"; do
    is_adapter "$name" || fail "there is no runtime '$name' to put into the atlas; there are: $(adapter_names)"
  done
  mkdir -p "$folder"
  python3 "$adapters/atlas.py" corpus >"$folder/probes.tile"
  (command_certify "${names[@]}" --corpus "$folder/probes.tile" --records "$folder/records.jsonl") >"$folder/report.txt" || code=$?
  [[ $code -le 1 || $code -eq 4 ]] || exit "$code"
  python3 "$adapters/atlas.py" page "$folder/records.jsonl" >"$folder/atlas.md" || exit 3
  cp "$folder/atlas.md" "$root/docs/atlas.md"
  say "docs/atlas.md is written; the reports are in build/atlas/report.txt"
}
