#!/bin/bash
# in_container.sh [--only NAME[,NAME...]] COMMAND...: runs COMMAND as root in what a common container is. Needs root and cc.
# Each NAME is a restriction, and without --only all are in force:
#   users       no new user namespaces
#   calls       what Docker's default filter of system calls refuses, `users` included
#   rights      root with Docker's default capabilities, so without CAP_SYS_ADMIN and CAP_SYS_PTRACE
#   memory      64 MiB in /dev/shm
#   topology    an empty /sys
#   processor   one processor
#   processes   a process namespace, whose first process is not COMMAND, as with `docker run --init`
# Ends with COMMAND's exit code, and every process that COMMAND started ends with it.
set -euo pipefail
all=(users calls rights memory topology processor processes)
kept=chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,net_bind_service,net_raw,sys_chroot,mknod,audit_write,setfcap

fail() { printf 'in_container.sh: %s\n' "$*" >&2; exit 2; }
has() { [[ " ${chosen[*]} " == *" $1 "* ]]; }

chosen=("${all[@]}")
if [[ ${1:-} == --only ]]; then
  [[ $# -gt 1 ]] || fail "--only needs names: ${all[*]}"
  IFS=, read -r -a chosen <<<"$2"
  for name in "${chosen[@]}"; do
    [[ " ${all[*]} " == *" $name "* ]] || fail "there is no restriction '$name'; there are: ${all[*]}"
  done
  shift 2
fi
[[ $# -gt 0 ]] || fail "what is to run?"
[[ $EUID -eq 0 ]] || fail "only root can take these rights away"

unshare --mount true || fail "this machine gives root no mount namespace"
work="$(mktemp -d)"
cc -o "$work/container_calls" "$(dirname "$(readlink -f "$0")")/container_calls.c"

inner=() outer=(--mount)
if has calls; then
  inner+=("$work/container_calls" calls)
elif has users; then
  inner+=("$work/container_calls" users)
fi
# After the filter, which only CAP_SYS_ADMIN may install.
! has rights || inner+=(setpriv --inh-caps=-all "--bounding-set=-all,+${kept//,/,+}")
! has processor || inner+=(taskset --cpu-list "$(taskset -cp $$ | sed "s/.*: //; s/[-,].*//")")
! has processes || outer+=(--pid --fork --kill-child --mount-proc)
# The shell stays, and takes over the processes whose parents have ended.
# shellcheck disable=SC2016  # it expands these itself
exec unshare "${outer[@]}" bash -euc '
  [[ " $2 " != *" memory "* ]] || mount -t tmpfs -o size=64m tmpfs /dev/shm
  [[ " $2 " != *" topology "* ]] || mount -t tmpfs -o size=4k tmpfs /sys
  work="$1" code=0
  "${@:3}" || code=$?
  rm -rf "$work"
  exit "$code"' in_container.sh "$work" "${chosen[*]}" "${inner[@]}" "$@"
