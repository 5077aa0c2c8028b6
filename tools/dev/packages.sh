# A part of ./dev: packages
# shellcheck shell=bash disable=SC2154  # the variables of ./dev

# Makes build/packages: a wheel, a Debian package and an archive. The tag of the wheel is auditwheel's: the oldest C library with
# every symbol that the programs use.
command_packages() {
  [[ $# -eq 0 ]] || fail "packages takes nothing, not '$*'"
  need "${build_packages[@]}" dpkg-dev file && need_environment packages || exit 3
  local tools="$root/build/environments/packages/bin" packages="$root/build/packages" path="$PATH"
  rm -rf "$packages"
  build release certile_installed || exit 3
  say "making the Debian package and the archive"
  logged cpack cpack --config "$root/build/release/CPackConfig.cmake" || exit 3
  rm -rf "$packages/_CPack_Packages"
  say "making the wheel"
  PATH="$tools:$path"
  logged wheel "$tools/python" -m build --wheel --no-isolation --outdir "$packages/local" \
    "--config-setting=build-dir=$root/build/release" "$root" &&
    logged auditwheel "$tools/auditwheel" repair --wheel-dir "$packages" "$packages/local/"*.whl || exit 3
  PATH="$path"
  rm -r "$packages/local"
  ls "$packages"/*
}
