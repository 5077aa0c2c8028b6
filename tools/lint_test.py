#!/usr/bin/env python3
"""Shows that ./dev lint reports what is wrong, and reads no file twice for nothing, on a small tree and with a made-up clang-tidy."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PART = Path(__file__).resolve().parent / "dev/lint.sh"
# Notes which of the tree's files match what it is asked for, and finds a fault in each word "fault".
TIDY = r"""#!/bin/bash
for pattern; do :; done
files=$(grep -rlP --include='*.c*' . "$ROOT" | grep -P -- "$pattern")
printf '%s\n' $files >>"$ROOT/asked"
! grep -n fault $files
"""
DEV = 'fail() { echo "$*" >&2; exit 2; }; say() { echo "$*" >&2; }; need() { :; }; need_environment() { :; }; configure() { :; }'


@unittest.skipUnless(shutil.which("git"), "git is not installed")
class Lint(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="certile-lint-")).resolve()
        self.addCleanup(shutil.rmtree, self.root)
        subprocess.run(["git", "init", "-q", self.root], check=True)
        for name, text in ((".gitignore", "build/\nasked\n"), ("a.cpp", "int a;\n"), ("a.hpp", "int b;\n"), ("b.cpp", "int c;\n"),
                           ("build/made.cpp", "int d;\n"), (".clang-tidy", ""), ("dev", "#!/bin/sh\n")):
            self.write(name, text)
        self.write("build/environments/lint/bin/run-clang-tidy.py", TIDY).chmod(0o755)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def lint(self, name):
        return subprocess.run(["bash", "-c", f"{DEV}; build_packages=() test_packages=(); source {PART}; command_lint {name}"], text=True,
                              env=os.environ | {"root": str(self.root), "ROOT": str(self.root)}, capture_output=True, check=False)

    def tidy(self, code):
        """Returns the files that clang-tidy was asked for."""
        (self.root / "build/alone").mkdir(exist_ok=True)
        done = self.lint("tidy")
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        asked = self.root / "asked"
        names = sorted(Path(line).name for line in asked.read_text(encoding="utf-8").split()) if asked.exists() else []
        asked.unlink(missing_ok=True)
        return names

    def test_what_was_found_right_is_read_again_once_it_changes(self):
        self.assertEqual(self.tidy(0), ["a.cpp", "b.cpp"])
        self.assertEqual(self.tidy(0), [])
        self.write("b.cpp", "long c;\n")
        self.assertEqual(self.tidy(0), ["b.cpp"])
        self.write("a.hpp", "long b;\n")
        self.assertEqual(self.tidy(0), ["a.cpp", "b.cpp"])

    def test_a_finding_fails_until_it_is_gone(self):
        self.write("b.cpp", "// fault\n")
        self.assertEqual(self.tidy(1), ["a.cpp", "b.cpp"])
        self.assertEqual(self.tidy(1), ["a.cpp", "b.cpp"])

    @unittest.skipUnless(shutil.which("shellcheck"), "./dev lint would install shellcheck")
    def test_a_variable_without_quotes_is_reported(self):
        self.write("right.sh", '#!/bin/sh\nrm "$1"\n')
        self.assertRegex(self.lint("shell").stdout, "^shellcheck: 2 files, 0 findings\n$")
        self.write("wrong.sh", "#!/bin/sh\nrm $1\n")
        done = self.lint("shell")
        self.assertEqual(done.returncode, 1)
        self.assertIn("SC2086", done.stdout)

    @unittest.skipUnless(shutil.which("codespell"), "./dev lint would install codespell")
    def test_a_word_that_is_spelled_wrong_is_reported(self):
        self.assertEqual(self.lint("spelling").stdout, "codespell: 0 findings\n")
        self.write("a.md", "The len" "ght.\n")
        done = self.lint("spelling")
        self.assertEqual(done.returncode, 1)
        self.assertIn("==> length", done.stdout)

    def test_an_unknown_linter_is_named(self):
        self.assertEqual(self.lint("grammar").stderr, "lint knows no 'grammar'; there are: tidy shell python spelling\n")


if __name__ == "__main__":
    unittest.main()
