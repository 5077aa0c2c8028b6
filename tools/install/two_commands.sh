#!/bin/bash
# two_commands.sh whole|short root|user CTEST OPTION...: runs both commands of README in this tree, as root or as a user with sudo, on
# a system that has git and nothing else.  short: the tier smoke, and the quick tests.
# tools/dev/bare.sh starts it in a bare root.
set -euo pipefail
form="$1" who="$2" tree="$(cd "$(dirname "$0")/../.." && pwd)"

if [[ $who == user && $EUID -eq 0 ]]; then
  apt-get update -qq && apt-get install -qq --no-install-recommends sudo >/dev/null
  useradd --create-home stranger
  printf 'stranger ALL=(ALL) NOPASSWD: ALL\n' >/etc/sudoers.d/stranger
  chown -R stranger: "$tree" "$PIP_CACHE_DIR"
  for ((above = ${#tree}; above > 0; above--)); do
    [[ ${tree:above:1} != / ]] || chmod a+x "${tree:0:above}"
  done
  exec runuser -u stranger -- env HOME=~stranger CCACHE_READONLY=1 CCACHE_TEMPDIR=/tmp bash "$0" "$@"
fi
shift 2
cd "$tree"

# step COMMAND...: announces the command, runs it and says what it took; what it said of the set-up stays in /tmp/said.
step() {
  printf 'bare: %s: %s\n' "$who" "$*" >&2
  local TIMEFORMAT="bare: $who: $*: %R s; of processors %U s and %S s"
  { time "$@" 2>&1 >&3 | tee /tmp/said >&2; } 3>&1
}

wrong() { printf 'bare: %s: %s\n' "$who" "$*" >&2; exit 1; }

certify() {
  step ./dev certify "$@" | tee /tmp/verdicts
  [[ $(grep -c ' CONFORMANT (full' /tmp/verdicts) -eq $(build/dev/bin/certile list --names | wc -l) ]] ||
    wrong "not every built-in backend was certified"
  ! grep -v '^dev: \|^[a-z0-9-]*: [0-9]* of ' /tmp/said || wrong "neither ./dev nor certile's progress says this"
}

if [[ $form == short ]]; then
  certify --tier smoke
  step ./dev test --quick "$@"
elif [[ $who == root ]]; then
  certify
  step ./dev test "$@"
else # the order does not matter
  step ./dev test "$@"
  certify
fi
step ./dev certify scalar --tier smoke
! grep '^dev: ' /tmp/said || wrong "what is there was set up again"
