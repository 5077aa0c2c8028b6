# Part of ./dev: the runtimes that need a separate Python environment, in build/environments/NAME.
# backends/worker/adapters/adapters.txt lists them.
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

# need_environment NAME: makes the table's environment of that name.  Returns 1, with a sentence, if that is impossible.
need_environment() {
  local words
  words="$(table_line environment "$1")" || { say "there is no environment '$1' in $adapters/adapters.txt"; return 1; }
  make_environment "$1" "$words"
}

# make_environment NAME "MEGABYTES REQUIREMENT...": makes it, unless it exists with these words; then nothing is fetched.
make_environment() {
  local directory="$root/build/environments/$1" words="$2" packages=() requirements=() python=(python3 -m venv)
  if [[ -x $directory/bin/python && $words == "$(cat "$directory/installed" 2>/dev/null)" ]]; then return 0; fi
  if [[ -n ${CERTILE_BUILD:-} ]]; then
    say "build/environments/$1 is not there as it should be, and CERTILE_BUILD forbids to install it"
    return 1
  fi
  for word in ${words#* }; do
    if [[ $word == debian:* ]]; then packages+=("${word#debian:}"); else requirements+=("$word"); fi
  done
  # Only Debian's Python sees Debian's packages.
  [[ ${#packages[@]} -eq 0 ]] || python=(/usr/bin/python3 -m venv --system-site-packages)
  local wanted=("${packages[@]}" "${requirements[@]}")
  say "installing ${wanted[*]} for build/environments/$1: about ${words%% *} MB of disk"
  need "${environment_packages[@]}" "${packages[@]}" || return
  if [[ ! -x $directory/bin/python ]]; then logged "$1" "${python[@]}" "$directory" || return; fi
  if [[ ${#requirements[@]} -gt 0 ]]; then
    logged "$1" "$directory/bin/pip" install --disable-pip-version-check "${requirements[@]}" || return
  fi
  printf '%s\n' "$words" >"$directory/installed"
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
