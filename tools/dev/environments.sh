# Part of ./dev: runtimes and tools that have a private Python environment, in build/environments/NAME.
# backends/worker/adapters/adapters.txt and tools/dev/environments.txt list them.
# shellcheck shell=bash disable=SC2154  # the variables of ./dev

adapters="$root/backends/worker/adapters"

# table_line KIND NAME: prints the table's words after the two; returns 1 if it has no such line.
table_line() {
  local line
  line="$(grep "^$1 $2 " "$adapters/adapters.txt")" && printf '%s\n' "${line#"$1 $2 "}"
}

is_adapter() { [[ $1 =~ ^[a-z0-9-]+$ ]] && table_line adapter "$1" >/dev/null; }

# Prints all of them, for the help.
adapter_names() { sed -n 's/^adapter \([^ ]*\) .*/\1/p' "$adapters/adapters.txt" | paste -sd' '; }

# need_environment NAME: makes build/environments/NAME as a table says, by the program that `certile environments make` starts;
# nothing is fetched if it has what the table says.  Returns 1, with a sentence, if that is impossible.
need_environment() {
  local table words word packages=()
  for table in "$adapters/adapters.txt" "$root/tools/dev/environments.txt"; do
    words="$(sed -n "s/^environment $1 [0-9]* [0-9]* [^ ]* //p" "$table")"
    [[ -z $words ]] || break
  done
  [[ -n $words ]] || { say "there is no environment '$1' in $adapters/adapters.txt"; return 1; }
  if [[ $words == "$(cat "$root/build/environments/$1/installed" 2>/dev/null)" ]]; then return 0; fi
  if [[ -n ${CERTILE_BUILD:-} ]]; then
    say "build/environments/$1 is not there as it should be, and CERTILE_BUILD forbids to install it"
    return 1
  fi
  for word in $words; do
    [[ $word != debian:* ]] || packages+=("${word#debian:}")
  done
  need "${environment_packages[@]}" "${packages[@]}" || return
  python3 -B "$adapters/environments.py" "$root/build/environments" "$1" --table "$table" >&2 || return 1
}

# adapter_spelling NAME: prints certile's spelling of it, after making its environment, with `start_adapters` in front.  Quotes
# only where they are needed, because a statement names the files by the words of the command.
start_adapters=""
adapter_spelling() {
  local words
  read -r -a words <<<"$(table_line adapter "$1")"
  need_environment "${words[0]}" || return
  printf 'worker:%s%q %q%s' "$start_adapters" "$root/build/environments/${words[0]}/bin/python" "$adapters/${words[1]}" \
    "${words[2]:+ ${words[*]:2}}"
}

# spell_adapters ARGUMENT...: sets `words` to them, with adapters, but no options' values, in certile's spelling, and with their
# names if `start_adapters` is set.
spell_adapters() {
  local value=no word spelling
  words=()
  for word in "$@"; do
    if [[ $value == no ]] && is_adapter "$word"; then
      spelling="$(adapter_spelling "$word")" || fail "there is no $word"
      word="${start_adapters:+$word=}$spelling" # certile-bench shows names, because the command is unreadable
    fi
    [[ $word == --* && $word != --*=* && $word != --fail-fast ]] && value=yes || value=no
    words+=("$word")
  done
}
