"""The pytest plugin, as a person runs it."""
import subprocess
import sys
import tempfile
import textwrap
import unittest
import xml.etree.ElementTree
from pathlib import Path

import asking

from test_program import PROGRAM

try:
    import pytest
except ImportError:
    pytest = None  # type: ignore[assignment]  # whether it could be imported

BACKEND = """
    import certile
    import numpy as np

    @certile.backend(name="mine", version="1", types=["u8", "f32"], rejects=[ValueError])
    def tile(data, repeats):
        return np.tile(data, repeats)
"""
FAILING = "openvino-tile-1 u8[3] x i64{-1}"
PASSING = "openvino-tile-1 u8[3] x i64{2}"


@unittest.skipUnless(pytest and PROGRAM, "pytest is not installed, or the program certile is not built")
class Plugin(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "mine.py").write_text(textwrap.dedent(BACKEND), encoding="utf-8")

    def pytest(self, *arguments):
        """Returns pytest's exit code, output and tests: name, then passed, failed, skipped."""
        report = self.folder / "report.xml"
        done = subprocess.run([sys.executable, "-m", "pytest", "-p", "pytest_certile", "-p", "no:cacheprovider",
                               f"--junitxml={report}", *arguments], cwd=self.folder, env=asking.environment(),
                               capture_output=True, text=True,
                              timeout=300, check=False)
        tests = {}
        for test in xml.etree.ElementTree.parse(report).iter("testcase") if report.is_file() else ():
            kinds = [child.tag for child in test if child.tag in ("failure", "skipped", "error")]
            tests[test.get("name")] = kinds[0] if kinds else "passed"
        return done.returncode, done.stdout + done.stderr, tests

    def cases(self, *literals, backend="mine.py:tile"):
        words = " ".join(f"--case '{literal}'" for literal in literals)
        return self.pytest(f"--certile-backend={backend}", f"--certile-arguments={words}")

    def test_each_clause_and_type_is_a_test(self):
        code, said, tests = self.cases(PASSING, "openvino-tile-1 f32[3] x i64{2}")
        self.assertEqual(code, 0, said)
        self.assertEqual(tests["verdict"], "passed")
        for name in ("OV-T1-G2[u8]", "OV-T1-G2[f32]", "OV-T1-O1[u8]", "CT-STEADY[u8]"):
            self.assertEqual(tests[name], "passed", tests)

    def test_a_failure_shows_the_literal_what_is_expected_and_the_command(self):
        code, said, tests = self.cases(PASSING, FAILING)
        self.assertEqual(code, 1, said)
        self.assertEqual([name for name, result in tests.items() if result == "failure"], ["verdict", "OV-T1-X5[u8]"])
        for line in ("1 of 1 cases with data of u8 violate OV-T1-X5", f"{FAILING}   refused",
                     "refused: negative dimensions are not allowed", "expected u8[0]", "look closer: certile run 'worker:",
                     f"'{FAILING}'", "NOT CONFORMANT"):
            self.assertIn(line, said)
        self.assertNotIn("Traceback", said)

    def test_what_is_not_claimed_is_skipped(self):
        code, said, tests = self.cases(PASSING, "openvino-tile-1 i64[3] x i64{2}")
        self.assertEqual((code, tests["OV-T1-G2[i64]"]), (0, "skipped"), said)

    def test_where_nothing_could_pass_the_verdict_fails(self):
        code, said, tests = self.cases("openvino-tile-1 i64[3] x i64{2}")
        self.assertEqual((code, tests["verdict"]), (1, "failure"), said)
        self.assertIn("NOTHING RUN", said)

    def test_a_conformant_backend_passes_whole(self):
        code, said, tests = self.pytest("--certile-backend=scalar", "--certile-arguments=--definition onnx-tile-13")
        self.assertEqual((code, tests["verdict"]), (0, "passed"), said)

    def test_the_level_says_which_verdict_is_enough(self):
        from pytest_certile import holds  # pylint: disable=import-outside-toplevel, it needs pytest
        for said, level, due in (("CONFORMANT (full; claim: u8)", "full", True), ("CONFORMANT (text; violated: X)", "full", False),
                                 ("CONFORMANT (text; violated: X)", "text", True), ("NOT CONFORMANT", "text", False),
                                 ("INCOMPLETE (…)", "full", False), ("NOTHING RUN", "full", False)):
            run = asking.certile.BackendRun({"spelling": "one", "level": level}, [], {"conformance": said})
            with self.subTest(said, level=level):
                self.assertEqual(holds(run), due)

    def test_a_chosen_clause_is_run_alone(self):
        code, said, tests = self.pytest("--certile-backend=mine.py:tile", f"--certile-arguments=--case '{PASSING}'",
                                        "-k", "OV-T1-G2")
        self.assertEqual((code, tests), (0, {"OV-T1-G2[u8]": "passed"}), said)
        self.assertRegex(said, r"collected \d+ items / \d+ deselected / 1 selected")

    def test_it_stands_beside_other_tests(self):
        (self.folder / "test_own.py").write_text("def test_own():\n    pass\n", encoding="utf-8")
        code, _, tests = self.cases(PASSING)
        self.assertEqual((code, tests["test_own"], tests["verdict"]), (0, "passed", "passed"))

    def test_without_its_option_it_does_nothing(self):
        (self.folder / "test_own.py").write_text("import sys\n\ndef test_own():\n    assert 'certile' not in sys.modules\n",
                                                 encoding="utf-8")
        code, said, tests = self.pytest()
        self.assertEqual((code, tests), (0, {"test_own": "passed"}), said)

    def test_a_backend_that_does_not_start_is_a_wrong_command_line(self):
        code, said, tests = self.cases(PASSING, backend="worker:exit 1")
        self.assertEqual((code, tests), (4, {}), said)
        self.assertIn("certile ended with exit code 4", said)


if __name__ == "__main__":
    unittest.main()
