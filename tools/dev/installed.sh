# A part of ./dev: test --install
# shellcheck shell=bash disable=SC2154,SC2016  # the variables of ./dev; texts for other programs

bare_packages=(debootstrap make python3-yaml)

# Makes build/bare-root, once: the smallest Debian 12 with Python, from the mirror that apt uses on this machine.
make_bare_root() {
  local bare="$root/build/bare-root" mirror
  [[ ! -d $bare ]] || return 0
  mirror="$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | head -n 1)"
  [[ -n $mirror ]] || { say "apt has no source of Debian 12"; return 1; }
  say "making build/bare-root: about 310 MB of disk"
  rm -rf "$bare.new"
  # In a separate mount namespace, so that no mount outlives it.
  logged debootstrap unshare --mount debootstrap --variant=minbase \
    --include=ca-certificates,python3,python3-pip,python3-venv bookworm "$bare.new" "$mirror" || return
  mv "$bare.new" "$bare"
}

# in_bare_root KIND FOLDER: runs in_bare_root.sh in the bare root.  What it writes stays in FOLDER/root, and every mount and
# process ends with its namespaces.
in_bare_root() {
  local changed="$2/$1"
  mkdir -p "$changed"/{upper,work,root}
  unshare --mount --pid --fork --kill-child bash -euc '
    bare="$1" changed="$2" kind="$3" folder="$4"
    mount -t overlay overlay -o "lowerdir=$bare,upperdir=$changed/upper,workdir=$changed/work" "$changed/root"
    mkdir "$changed/root/certile"
    mount --bind "$folder" "$changed/root/certile"
    mount -t proc proc "$changed/root/proc"
    mount --rbind /dev "$changed/root/dev"
    touch "$changed/root/etc/resolv.conf"
    mount --bind /etc/resolv.conf "$changed/root/etc/resolv.conf"
    mount --bind /etc/ssl/certs "$changed/root/etc/ssl/certs"
    exec chroot "$changed/root" /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TMPDIR=/tmp LC_ALL=C.UTF-8 \
      bash /certile/in_bare_root.sh "$kind" /certile' bash "$root/build/bare-root" "$changed" "$1" "$2/folder"
}

# make_wheel_from FOLDER: copies the tree to FOLDER as a checkout has it, and makes a wheel there as a user of pip does, who has
# neither a build directory nor the environment of ./dev packages.
make_wheel_from() {
  local launchers=()
  mkdir -p "$1"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard | tar -c --null -T - -f -) | tar -x -f - -C "$1" || return
  if command -v ccache >/dev/null; then
    # And the compiler under the name that build/release has in its cache.
    launchers=(CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CC=/usr/bin/cc CXX=/usr/bin/c++)
  fi
  say "making a wheel from a checkout, with pip"
  "$interpreter" -m venv "$1/build/venv"
  logged pip-wheel env "${launchers[@]}" "$1/build/venv/bin/pip" wheel --no-deps --wheel-dir "$1/build/wheels" "$1" &&
    logged pip-wheel "$1/build/venv/bin/pip" install --no-index "$1/build/wheels"/certile-*.whl &&
    "$1/build/venv/bin/certile" certify scalar --tier smoke --quiet
}

# Uses the packages as their users do: CMake projects here, everything else in a bare root.
test_installed() {
  [[ $EUID -eq 0 ]] || fail "test --install needs root, because it makes a root folder of another system"
  need "${bare_packages[@]}" && make_bare_root || exit 3
  command_packages >&2
  local packages="$root/build/packages" work folder code=0
  work="$(mktemp -d "$root/build/installed.XXXXXX")"
  folder="$work/folder"
  mkdir "$folder" "$work/archive"
  tar -xzf "$packages"/certile-*.tar.gz -C "$work/archive" --strip-components=1
  "$interpreter" -m venv "$work/venv"
  "$work/venv/bin/pip" install -q --no-index "$packages"/certile-*.whl
  "$interpreter" "$root/tools/install/dead_links.py" "$work/archive/share/doc/certile" || code=1
  make_wheel_from "$work/checkout" || code=1
  local prefix oldest
  oldest="$(basename "$packages"/certile-*.whl | sed 's/.*manylinux_\([0-9]*\)_\([0-9]*\)_.*/\1.\2/')"
  grep -qF "glibc $oldest or later" "$root/docs/install.md" || { say "docs/install.md does not state glibc $oldest"; code=1; }
  for prefix in archive venv; do
    if cmake -DPREFIX="$work/$prefix" -DELSEWHERE="$work/of $prefix" -DCC=cc -P "$root/cmake/kernels_project.cmake"; then
      say "a CMake project finds certile in the $prefix"
    else
      code=1
    fi
  done
  cp "$packages"/certile* "$root/tools/install/in_bare_root.sh" "$work/of archive/toy/build/"{lib*.so,*_program} "$folder"
  # The worker of the tutorial, with its fix.
  sed -n '/^```python file=mine/,/^```$/{/^```/!p}' "$root/docs/certify-a-framework.md" |
    sed 's/counts = repeats.tolist()/counts = [max(count, 0) for count in repeats.tolist()]/' >"$folder/mine.py"
  "$interpreter" "$root/tools/install/ci_test.py" "$root" "$packages"/certile-*.whl "$folder/libright.so" "$folder/libwrong.so" || code=1
  local kind
  for kind in wheel deb; do
    in_bare_root "$kind" "$work" || code=1
  done
  rm -rf "$work"
  exit "$code"
}
