"""Parts of a worker: workers that differ have different digests."""
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

import asking

import numpy as np

from certile.program import find_program

try:
    PROGRAM: Path | None = find_program()
except FileNotFoundError:
    PROGRAM = None

WORKER = """
    import certile
    import numpy as np
    import helper

    @certile.backend(name="mine", version="1", types=["u8"])
    def tile(data, repeats):
        return helper.tile(data, repeats)

    if __name__ == "__main__":
        tile.serve()
"""


class Parts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "impl.py").write_text(textwrap.dedent(WORKER), encoding="utf-8")
        (self.folder / "helper").mkdir()
        (self.folder / "helper" / "__init__.py").write_text("__version__ = '3'\nfrom .inner import tile\n", encoding="utf-8")
        (self.folder / "helper" / "inner.py").write_text("from numpy import tile\n", encoding="utf-8")

    def parts(self, *command):
        """Returns name to (version, digest), from the worker's answer to hello."""
        question = asking.buffer({"cmd": "hello", "seq": "1"}, {})
        done = subprocess.run([sys.executable, *command], input=question, capture_output=True, timeout=120, check=True,
                              env=asking.environment(), cwd=self.folder)
        words, _ = asking.parsed(done.stdout)
        lines = [(line + "  ").split("  ")[:3] for line in words["parts"].split("\n")]
        return {name: (version, digest) for digest, name, version in lines}

    def test_the_interpreter_the_files_and_the_distributions_are_named(self):
        for command in (["impl.py"], ["-m", "certile", "serve", "impl.py:tile"], ["-m", "certile", "serve", "impl:tile"]):
            with self.subTest(command):
                parts = self.parts(*command)
                digest = hashlib.sha256((self.folder / "impl.py").read_bytes()).hexdigest()
                self.assertEqual(parts["impl.py"], ("", digest))
                self.assertEqual(parts["numpy"][0], np.__version__)
                self.assertEqual(parts["helper"][0], "3")
                self.assertEqual(parts[os.path.basename(sys.executable)][0], sys.version.split()[0])

    def test_every_start_says_the_same(self):
        self.assertEqual(self.parts("impl.py"), self.parts("impl.py"))

    def test_a_change_in_an_imported_package_shows(self):
        before = self.parts("impl.py")
        (self.folder / "helper" / "inner.py").write_text("from numpy import tile  # another\n", encoding="utf-8")
        after = self.parts("impl.py")
        self.assertNotEqual(before.pop("helper"), after.pop("helper"))
        self.assertEqual(before, after)

    @unittest.skipUnless(PROGRAM, "the program certile is not built")
    def test_two_implementations_have_two_digests(self):
        def subject():
            done = subprocess.run([sys.executable, "-m", "certile", "certify", "impl.py:tile", "--case", "openvino-tile-1 u8[3] x i64{2}",
                                   "--records", "r.jsonl"], cwd=self.folder, timeout=120, check=False,
                                  env={**asking.environment(), "CERTILE": str(PROGRAM)}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            header = json.loads((self.folder / "r.jsonl").read_text(encoding="utf-8").splitlines()[0])["header"]
            self.assertIn("impl.py", [part["name"] for part in header["backend_parts"]])
            self.assertIn("numpy", [part["name"] for part in header["backend_parts"]])
            return header["backend_sha256"]

        first = subject()
        self.assertEqual(subject(), first)
        (self.folder / "impl.py").write_text(textwrap.dedent(WORKER) + "# mended\n", encoding="utf-8")
        second = subject()
        (self.folder / "helper" / "inner.py").write_text("from numpy import tile  # another\n", encoding="utf-8")
        self.assertEqual(len({first, second, subject()}), 3)


if __name__ == "__main__":
    unittest.main()
