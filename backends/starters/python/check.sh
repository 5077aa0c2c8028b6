#!/bin/sh
# Certifies the function.  Needs certile on the PATH, and NumPy.
set -e
# certile's Python package is that of the wheel, or else the one next to the program.
PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}$(dirname "$(command -v certile)")/../share/certile/python"
export PYTHONPATH
python3 -m unittest -v
