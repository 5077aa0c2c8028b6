"""Parts of a worker: workers that differ have different digests."""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
import zipfile
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

IMPORTS_THING = """
import sys
sys.path[:0] = {0!r}
import thing.inner
"""
# What installers leave next to the package "thing" without digests of its files: names and contents of files.
ABOUT = "Metadata-Version: 2.1\nName: Thing\nVersion: 3\n"
TOP = {"Thing-3.egg-info/PKG-INFO": ABOUT, "Thing-3.egg-info/top_level.txt": "thing\n"}
WITHOUT_DIGESTS = {
    "Debian's folder": TOP,
    "a folder that names its sources": {**TOP, "Thing-3.egg-info/SOURCES.txt": "setup.py\nsrc/thing/__init__.py\n"},
    "the folder of an old pip": {**TOP, "Thing-3.egg-info/installed-files.txt": "../thing/__init__.py\n../thing/inner.py\n"},
    "the file of distutils": {"Thing-3.egg-info": ABOUT.replace("Name: Thing", "Name: thing")},
    "a list that was removed": {"thing-3.dist-info/METADATA": ABOUT, "thing-3.dist-info/top_level.txt": "thing\n"},
    "a list without digests": {"thing-3.dist-info/METADATA": ABOUT, "thing-3.dist-info/top_level.txt": "thing\n",
                               "thing-3.dist-info/RECORD": "thing/__init__.py,,\nthing/inner.py,,\n"},
}


def record(*names):
    """Returns the text of a RECORD, in which a digest is only something that is there."""
    return "".join(f"{name},sha256=of-{name},1\n" for name in names) + "RECORD,,\n"


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

    def write(self, files, site="site-packages"):
        for name, content in files.items():
            path = self.folder / site / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")

    def parts_with_thing(self, *places):
        """Returns the parts of a worker that imports `thing.inner`, from the first of these places that has it."""
        text = IMPORTS_THING.format([str(self.folder / place) for place in places or ["site-packages"]])
        (self.folder / "uses.py").write_text(text + textwrap.dedent(WORKER), encoding="utf-8")
        return self.parts("uses.py")

    def test_a_distribution_without_digests_is_named_and_has_that_of_its_files(self):
        for form, about in WITHOUT_DIGESTS.items():
            with self.subTest(form):
                shutil.rmtree(self.folder / "site-packages", ignore_errors=True)
                self.write({"thing/__init__.py": "", "thing/inner.py": "", "thing/later.py": "", **about})
                before = self.parts_with_thing()
                [name] = [name for name in before if name.lower() == "thing"]
                self.assertEqual(before[name][0], "3")
                # One that is imported, one that a call may import, and one that Python writes itself.
                for file, shows in (("inner.py", True), ("later.py", True), ("__pycache__/inner.pyc", False)):
                    self.write({f"thing/{file}": "# edited\n"})
                    after = self.parts_with_thing()
                    self.assertEqual({part for part in before if after.get(part) != before[part]}, {name} if shows else set())
                    before = after

    def test_a_package_without_metadata_is_named_by_itself(self):
        self.write({"thing/__init__.py": "__version__ = '4'\n", "thing/inner.py": ""}, "dist-packages")
        before = self.parts_with_thing("dist-packages")["thing"]
        self.assertEqual(before[0], "4")
        self.write({"thing/inner.py": "# edited\n"}, "dist-packages")
        self.assertNotEqual(self.parts_with_thing("dist-packages")["thing"], before)

    def test_a_file_that_no_list_has_is_a_part_beside_the_distribution(self):
        self.write({"thing/__init__.py": "", "thing/inner.py": "", "thing-3.dist-info/METADATA": ABOUT,
                    "thing-3.dist-info/RECORD": record("thing/__init__.py", "thing/gone.py")})
        parts = self.parts_with_thing()
        self.assertEqual(parts["Thing"][0], "3")
        self.assertEqual(parts["inner.py"], ("", hashlib.sha256(b"").hexdigest()))

    def test_a_distribution_that_is_edited_elsewhere_is_the_files_there(self):
        self.write({"__editable__.thing-3.pth": str(self.folder / "src"), "thing-3.dist-info/METADATA": ABOUT,
                    "thing-3.dist-info/RECORD": record("__editable__.thing-3.pth"), "thing.egg-link": str(self.folder / "src")})
        self.write({"thing/__init__.py": "__version__ = '5'\n", "thing/inner.py": "", "Thing.egg-info/PKG-INFO": ABOUT}, "src")
        before = self.parts_with_thing("site-packages", "src")["thing"]
        self.assertEqual(before[0], "5")
        self.write({"thing/inner.py": "# edited\n"}, "src")
        self.assertNotEqual(self.parts_with_thing("site-packages", "src")["thing"], before)

    def test_of_distributions_that_share_a_package_the_imported_ones_are_named(self):
        self.write({"thing/inner.py": "", "thing/other.py": "", "Thing-3.egg-info/PKG-INFO": ABOUT,
                    "one-1.dist-info/METADATA": "Name: one\nVersion: 1\n", "one-1.dist-info/RECORD": record("thing/inner.py"),
                    "two-1.dist-info/METADATA": "Name: two\nVersion: 1\n", "two-1.dist-info/RECORD": record("thing/other.py")})
        parts = self.parts_with_thing()
        self.assertIn("one", parts)
        self.assertFalse({"two", "Thing", "thing"} & parts.keys())

    def test_an_archive_is_a_part(self):
        with zipfile.ZipFile(self.folder / "all.zip", "w") as archive:
            archive.writestr("thing/__init__.py", "")
            archive.writestr("thing/inner.py", "")
        digest = hashlib.sha256((self.folder / "all.zip").read_bytes()).hexdigest()
        self.assertEqual(self.parts_with_thing("all.zip")["all.zip"], ("", digest))

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
