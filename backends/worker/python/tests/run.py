#!/usr/bin/env python3
"""Runs the tests of the package in an environment that has NumPy.

    run.py PROGRAM       PROGRAM is certile

Exit codes: 0 all pass, 1 some do not, 77 there is no such environment.
"""
import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent
ENVIRONMENT = TESTS.parents[3] / "build" / "environments" / "numpy" / "bin" / "python"
SKIPPED = 77


def has_numpy(python):
    return subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False).returncode == 0


def main():
    python = next((each for each in (ENVIRONMENT, sys.executable) if os.access(each, os.X_OK) and has_numpy(each)), None)
    if python is None:
        print("not tested: there is no NumPy; ./dev test installs it in build/environments/numpy")
        return SKIPPED
    command = [python, "-B", "-m", "unittest", "discover", "-s", TESTS, "-t", TESTS]
    return subprocess.run(command, env={**os.environ, "CERTILE": sys.argv[1]}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
