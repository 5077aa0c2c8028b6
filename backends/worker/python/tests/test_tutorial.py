"""docs/certify-a-framework.md does what it says, with this package in place of an installed one."""
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import asking

from test_program import PROGRAM
from test_pytest_plugin import pytest

ROOT = asking.PACKAGE.parents[2]
DOCUMENT = "docs/certify-a-framework.md"
RUNNER = ROOT / "tools" / "run_document.py"


@unittest.skipUnless(pytest and PROGRAM and RUNNER.is_file(), "pytest, the program certile or the source tree is missing")
class Tutorial(unittest.TestCase):
    def test_its_commands_do_what_it_says(self):
        with tempfile.TemporaryDirectory() as name:
            with_package = f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(asking.PACKAGE))} exec {shlex.quote(sys.executable)} -B"
            for command, words in (("python3", ""), ("pytest", " -m pytest -p pytest_certile -p no:cacheprovider")):
                script = Path(name) / command
                script.write_text(f'{with_package}{words} "$@"\n', encoding="utf-8")
                script.chmod(0o755)
            assert PROGRAM is not None
            done = subprocess.run([sys.executable, "-B", RUNNER, PROGRAM.parent.parent, ROOT, DOCUMENT],
                                  env={**os.environ, "PATH": f"{name}:{os.environ['PATH']}"}, capture_output=True, text=True,
                                  timeout=550, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
