# A part of ./dev: test --bare, and the bare Debian that test --install uses
# shellcheck shell=bash disable=SC2154,SC2016  # the variables of ./dev; texts for other programs

bare_packages=(debootstrap)
bare_folder="$root/build/bare" # the roots, and what was downloaded for them

skip() { say "skipped: $*"; exit 77; }

# need_bare_root NAME PACKAGES: makes build/bare/NAME, once: the smallest Debian 12 with these packages, from the mirror that apt uses
# on this machine.  Exits with 77, which tests use for "skipped", where a machine allows no mounts or has no network.
need_bare_root() {
  local bare="$bare_folder/$1" mirror
  [[ $EUID -eq 0 ]] || fail "a root folder of another system can be made by root only"
  unshare --mount --pid --fork mount -t tmpfs tmpfs /mnt 2>/dev/null ||
    skip "this machine allows no mounts, as most containers, so there can be no root folder of another system"
  mirror="$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 2>/dev/null | sed -n 1p)"
  [[ -n $mirror ]] || skip "apt has no source of Debian"
  mkdir -p "$bare_folder"/{archives,pip}
  /usr/lib/apt/apt-helper download-file "${mirror%/}/dists/bookworm/InRelease" "$bare_folder/InRelease" &>/dev/null ||
    skip "$mirror cannot be reached"
  need "${bare_packages[@]}" || exit 3
  [[ ! -d $bare ]] || return 0
  say "making build/bare/$1: about 350 MB of disk"
  rm -rf "$bare.new"
  # In a separate mount namespace, so that no mount outlives it.
  logged debootstrap unshare --mount debootstrap --variant=minbase --cache-dir="$bare_folder/archives" --include="$2" \
    bookworm "$bare.new" "$mirror" || exit 3
  rm -f "$bare.new"/var/cache/apt/archives/*.deb
  printf '127.0.0.1 localhost\n' >"$bare.new/etc/hosts"
  mv "$bare.new" "$bare"
}

# in_bare_root NAME FOLDER [FROM:TO...] -- COMMAND...: runs the command in build/bare/NAME, which sees each FROM of this machine as TO.
# What the command writes elsewhere stays in FOLDER, and every mount and process ends with its namespaces.
in_bare_root() {
  mkdir -p "$2"/{upper,work,root}
  unshare --mount --pid --fork --kill-child bash -euc '
    changed="$2" root="$2/root" passed=()
    mount -t overlay overlay -o "lowerdir=$1,upperdir=$changed/upper,workdir=$changed/work,volatile" "$root" 2>/dev/null ||
      cp -a "$1/." "$root"
    shift 2
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    touch "$root/etc/resolv.conf"
    set -- /etc/resolv.conf:/etc/resolv.conf /etc/ssl/certs:/etc/ssl/certs "$@"
    while [[ $1 != -- ]]; do
      [[ -f ${1%%:*} ]] || mkdir -p "$root${1#*:}"
      mount --bind "${1%%:*}" "$root${1#*:}"
      shift
    done
    shift
    for name in $(compgen -e); do
      [[ $name != *_proxy && $name != *_PROXY && $name != PIP_* ]] || passed+=("$name=${!name}")
    done
    exec chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
      "${passed[@]}" "$@"' bash "$bare_folder/$1" "${@:2}"
}

# copy_tree FOLDER: copies the tree to FOLDER as a checkout has it.
copy_tree() {
  mkdir -p "$1" &&
    git -C "$root" ls-files -z --cached --others --exclude-standard |
    tar -c -C "$root" --null --ignore-failed-read -T - -f - | tar -x -C "$1" -f -
}

# clone_tree FOLDER: clones the tree, changes that are not committed included.
clone_tree() {
  git clone -q --no-checkout "$root" "$1" && copy_tree "$1" && git -C "$1" reset -q
}

# test_bare whole|short CTEST OPTION...: runs both commands of README in a Debian that has git and nothing else, as root and, if
# whole, as a user with sudo.  Packages that were fetched once, and what this machine's compiler cache has, cost no time.
test_bare() {
  local form="$1" work cache code=0 who users=(root)
  shift
  [[ $form == short ]] || users+=(user)
  need_bare_root with-git git,ca-certificates
  need git ccache || exit 3
  cache="$(ccache --get-config cache_dir)"
  work="$(mktemp -d "$bare_folder/test.XXXXXX")"
  # shellcheck disable=SC2064  # this folder
  trap "rm -rf '$work'" EXIT
  mkdir -p "$cache" "$bare_folder"/pip/{root,user}
  for who in "${users[@]}"; do
    mkdir "$work/$who"
    clone_tree "$work/$who/clone" || exit
    # Links, because apt locks the folder; and the tree at the same path as here, for the compiler cache.
    cp -al "$bare_folder/archives" "$work/$who/archives"
    in_bare_root with-git "$work/$who" "$work/$who/clone:$root" "$cache:/var/cache/ccache" \
      "$work/$who/archives:/var/cache/apt/archives" "$bare_folder/pip/$who:/var/cache/pip" -- env CCACHE_DIR=/var/cache/ccache \
      PIP_CACHE_DIR=/var/cache/pip bash "$root/tools/install/two_commands.sh" "$form" "$who" "$@" || code=1
    cp -aln "$work/$who/archives"/*.deb "$bare_folder/archives" 2>/dev/null || true
    [[ $code -eq 0 ]] || break
  done
  exit "$code"
}
