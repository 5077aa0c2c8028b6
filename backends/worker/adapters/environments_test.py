#!/usr/bin/env python3
"""Tests environments.py with environments that need nothing from a network."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent / "environments.py"
TABLE = """# a comment
environment plain 40 7 json
environment elsewhere 50 8 json debian:no-such-package
environment unmakeable 60 9 json /no/such/wheel-1.0-py3-none-any.whl
adapter plain plain plain_worker.py
adapter plain-again plain plain_worker.py again
"""


class Environments(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="some environments ")
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name) / "made here"
        self.table = Path(place.name) / "table.txt"
        self.table.write_text(TABLE, encoding="utf-8")

    def run_with(self, *names):
        return subprocess.run([sys.executable, "-B", PROGRAM, self.folder, *names, "--table", self.table],
                              capture_output=True, text=True, check=False)

    def test_the_list_says_what_each_costs_and_for_whom_it_is(self):
        done = self.run_with()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"in {self.folder}\n  plain        7 MB to download, 40 MB of disk", done.stdout)
        self.assertIn("also for plain-again", done.stdout)
        self.assertIn("debian:no-such-package", done.stdout)

    def test_one_is_made_once_by_the_name_of_any_of_its_runtimes(self):
        done = self.run_with("plain-again")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(),
                         [f"making plain: 7 MB to download, about 40 MB of disk in {self.folder / 'plain'}",
                          "made: certile certify plain"])
        python = self.folder / "plain/bin/python"
        self.assertEqual(subprocess.run([python, "-c", "import json"], check=False).returncode, 0)
        self.assertEqual(self.run_with("plain").stdout, f"plain is there already: {self.folder / 'plain'}\n")
        self.assertIn("  plain        made", self.run_with().stdout)

    def test_one_whose_requirements_changed_is_made_again(self):
        self.assertEqual(self.run_with("plain").returncode, 0)
        (self.folder / "plain/installed").write_text("json==1.0\n", encoding="utf-8")
        self.assertTrue(self.run_with("plain").stdout.startswith("making plain: "))

    def test_one_that_cannot_be_made_is_not_taken_for_made(self):
        for name, reason in (("elsewhere", "apt-get install no-such-package"), ("unmakeable", "this failed: ")):
            done = self.run_with(name)
            self.assertEqual(done.returncode, 3, name)
            self.assertIn(f"certile: {name} could not be made: ", done.stderr)
            self.assertIn(reason, done.stderr)
            self.assertFalse((self.folder / name / "installed").exists())

    def test_an_unknown_name_names_those_that_there_are(self):
        done = self.run_with("numpi")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "certile: there is no environment 'numpi'; there are plain, elsewhere, unmakeable\n")


if __name__ == "__main__":
    unittest.main()
