#!/bin/sh
# Checks the worker's messages and certifies it.  Needs Node 18, and certile on the PATH.
set -e
node --test
