#!/bin/sh
# Certifies the function.  Needs certile on the PATH, and its Python package with NumPy.
set -e
python3 -m unittest -v
