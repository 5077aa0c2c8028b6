#!/usr/bin/env python3
"""glibc_test.py ROOT FILE...: the programs and libraries need no glibc newer than docs/install.md states.

Whole packages take long to make; this test notices a call that would make them need more as soon as it is written.
"""
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT, FILES = Path(sys.argv[1]), sys.argv[2:]


def version(text):
    return tuple(int(part) for part in text.split("."))


class Glibc(unittest.TestCase):
    def test_no_file_needs_a_newer_one_than_is_stated(self):
        page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
        stated = {version(found) for found in re.findall(r"glibc ([\d.]+) or later", page)}
        self.assertEqual(len(stated), 1, "docs/install.md states different versions")
        for file in FILES:
            symbols = subprocess.run(["objdump", "-T", file], check=True, text=True, stdout=subprocess.PIPE).stdout
            needed = [(version(found[1]), found[2]) for found in re.finditer(r"GLIBC_([\d.]+)\)?\s+(\S+)", symbols)]
            self.assertTrue(needed, file)
            newer = sorted({name for needs, name in needed if needs > max(stated)})
            self.assertEqual(newer, [], f"{file} needs a newer glibc for these")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
