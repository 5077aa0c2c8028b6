#!/bin/sh
# Builds the library, runs its tests and certifies it.  Needs cargo, and certile on the PATH.
set -e
cargo test --release
