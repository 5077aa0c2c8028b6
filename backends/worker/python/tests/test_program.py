"""Running certile from Python, and reading its records."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import asking

import certile

try:
    PROGRAM: Path | None = certile.find_program()
except FileNotFoundError:
    PROGRAM = None

RECORDS = ['{"header":{"format":1,"spelling":"mine","claim":{"name":"one","version":"2"}}}',
           '{"backend":"one","case":"c","operator":"o","type":"u8","verdict":"fail","exercised":["A"],"violated":"A","new":1}',
           '{"footer":{"records":1,"conformance":"NOT CONFORMANT"}}']


class Package(unittest.TestCase):
    def test_runs_and_records_need_no_numpy(self):
        words = "import certile, sys; certile.certify, certile.read_records, certile.Rejected; sys.exit('numpy' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", words], cwd=Path(certile.__file__).parents[1], check=False).returncode, 0)

    def test_every_name_is_there(self):
        for name in certile.__all__:
            self.assertIsNotNone(getattr(certile, name))
        with self.assertRaisesRegex(AttributeError, "no attribute 'tile'"):
            certile.tile  # noqa: B018

    def test_the_header_is_found(self):
        self.assertIn("certile_plugin_open", (certile.include_dir() / "certile_plugin.h").read_text(encoding="utf-8"))


class Records(unittest.TestCase):
    def test_fields_that_are_not_known_are_ignored(self):
        run, = certile.read_records(RECORDS)
        self.assertEqual((run.name, run.spelling, run.conformance), ("one 2", "mine", "NOT CONFORMANT"))
        self.assertEqual(run.failures(), [certile.Record("one", "c", "o", "u8", "fail", ("A",), violated="A")])

    def test_the_last_finding_counts_and_the_literals_that_show_it_stay(self):
        again = '{"by":"diagnosis","verdict":"fail","fault":"shape","clause":"B","words":"w","reproduce":["d","c"]}'
        line = RECORDS[1].replace('"new":1', f'"amended":[{again},{{"by":"waiver","verdict":"waived","fault":"shape","clause":"B"}}]')
        run, = certile.read_records([RECORDS[0], line])
        self.assertEqual(run.records, [certile.Record("one", "c", "o", "u8", "waived", ("A",), fault="shape", violated="B",
                                                      reproduce=("d", "c"))])

    def test_a_run_without_its_end_is_incomplete(self):
        self.assertIn("INCOMPLETE", certile.read_records(RECORDS[:2])[0].conformance)

    def test_a_run_is_shown_in_a_line_and_a_certification_by_its_report(self):
        run = certile.read_records(RECORDS)[0]
        self.assertEqual(repr(run), "<BackendRun one 2: NOT CONFORMANT; 1 records, 1 failures>")
        certification = certile.Certification(1, "the report", "", [run])
        self.assertEqual(repr(certification), f"<Certification with exit code 1: [{run!r}]>")
        self.assertEqual(str(certification), "the report")

    def test_a_line_that_is_no_record_is_named(self):
        for line in ("{}", "[]", "no", '{"verdict":"pass"}'):
            with self.subTest(line), self.assertRaisesRegex(ValueError, "line 2 is no record of certile"):
                certile.read_records([RECORDS[0], line])


class Spellings(unittest.TestCase):
    def test_python_names_become_workers(self):
        served = f"worker:{sys.executable} -m certile serve "
        self.assertEqual(certile.spelling_of("folder/mine.py:tile"), served + "folder/mine.py:tile")
        self.assertEqual(certile.spelling_of("package.mine:tile"), served + "package.mine:tile")

    def test_everything_else_is_left(self):
        for spelling in ("scalar", "./libmine.so", "worker:python3 mine.py", "worker:run"):
            self.assertEqual(certile.spelling_of(spelling), spelling)

    def test_a_backend_is_named_by_its_file(self):
        self.assertEqual(certile.spelling_of(numpy_tile).split(" serve ")[1], f"{os.path.abspath(__file__)}:numpy_tile")

    def test_a_backend_without_a_name_is_an_error(self):
        with self.assertRaisesRegex(LookupError, "no name of a module"):
            certile.spelling_of(certile.backend(name="one", version="1")(asking.np.tile))


class Programs(unittest.TestCase):
    def test_a_program_that_is_not_there_is_named(self):
        expected = self.assertRaisesRegex(FileNotFoundError, "/nowhere/certile, which the environment names CERTILE")
        with mock.patch.dict(os.environ, CERTILE="/nowhere/certile"), expected:
            certile.find_program()

    @unittest.skipUnless(PROGRAM, "the program certile is not built")
    def test_a_backend_is_certified(self):
        done = certile.certify("scalar", tier="smoke", arguments=["--definition", "onnx-tile-13", "--budget", "2000"])
        self.assertTrue(done.conformant, done.report)
        self.assertGreater(len(done.runs[0].records), 1000)

    @unittest.skipUnless(PROGRAM, "the program certile is not built")
    def test_failures_are_found_and_the_records_kept(self):
        literal = "openvino-tile-1 u8[3] x i64{-1}"
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, asking.environment()):
            records = Path(folder) / "records.jsonl"
            done = certile.certify(numpy_tile, arguments=["--case", literal], records=records)
            self.assertTrue(records.is_file())
        self.assertEqual((done.exit_code, [record.case for record in done.failures()]), (1, [literal]), done.diagnostics)
        self.assertEqual((done.failures()[0].fault, done.failures()[0].violated), ("refused", "OV-T1-X5"))

    @unittest.skipUnless(PROGRAM, "the program certile is not built")
    def test_a_backend_that_does_not_start_raises_nothing(self):
        done = certile.certify("worker:exit 1")
        self.assertEqual((done.exit_code, done.conformant), (4, False))


numpy_tile = certile.backend(name="numpy", version="1", types=["u8"], rejects=[ValueError])(asking.np.tile)

if __name__ == "__main__":
    unittest.main()
