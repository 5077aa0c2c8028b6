"""The commands, with a program that only repeats its arguments, and with certile-bench where CERTILE_BENCH names one."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from picture_test import HAS_MATPLOTLIB
from synthetic_run_test import TINY, synthetic_run, text_of

FOLDER = Path(__file__).resolve().parent
PROGRAM = """#!/bin/sh
printf '<%s>' "$@"
for last; do :; done
[ -z "$RUN" ] || cp "$RUN" "$last"
[ -z "$WAIT" ] || { trap 'exit 130' INT TERM; echo; while :; do sleep 0.1; done; }
exit "$CODE"
"""


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="certile bench "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.program, self.run_file = self.folder / "program", self.folder / "run.json"
        self.program.write_text(PROGRAM, encoding="utf-8")
        self.program.chmod(0o755)
        run = synthetic_run()
        run.cases[0].subjects.pop()  # what fails
        self.run_file.write_text(text_of(run), encoding="utf-8")

    def asked(self, *words, code=0, wrote=True):
        environment = os.environ | {"CODE": str(code), "RUN": str(self.run_file) if wrote else ""}
        return subprocess.run([sys.executable, "-B", FOLDER, *map(str, words)], cwd=self.folder, env=environment, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, check=False)

    def test_the_program_gets_its_arguments_in_their_order(self):
        done = self.asked("run", self.program, "numpy=a b", "--hot", "simd", "--gate", "baseline", "--case", "f32[2] x i64{-1}", "--help",
                          "--seed=7", "eigen", "--json", "out.json")
        self.assertEqual(done.stderr, "")
        self.assertTrue(done.stdout.startswith("<numpy=a b><--hot><simd><--case><f32[2] x i64{-1}><--help><--seed=7><eigen>"
                                               "<--json><out.json>"), done.stdout)
        self.assertEqual(done.returncode, 0)

    def test_the_graver_of_the_programs_code_and_the_gates_is_returned(self):
        for code, rule, expected in ((0, "baseline:quick", 0), (0, "baseline:plain", 2), (4, "baseline", 4), (5, "baseline", 5),
                                     (130, "baseline", 130)):
            self.assertEqual(self.asked("run", self.program, "--gate", rule, code=code).returncode, expected, (code, rule))
        slower = json.loads(text_of(synthetic_run()))
        slower["context"]["certile"]["baseline"] = "quick"
        self.run_file.write_text(json.dumps(slower), encoding="utf-8")
        self.assertEqual([self.asked("run", self.program, "--gate", "baseline", code=code).returncode for code in (0, 4, 5)], [1, 4, 1])

    def test_what_the_program_refuses_is_not_reported_on(self):
        done = self.asked("run", self.program, "--gate", "baseline", code=2, wrote=False)
        self.assertEqual((done.returncode, done.stderr), (2, ""))

    def test_an_interrupt_is_the_programs_matter(self):
        environment = os.environ | {"CODE": "0", "RUN": str(self.run_file), "WAIT": "yes"}
        with subprocess.Popen([sys.executable, "-B", FOLDER, "run", self.program, "--gate", "baseline:quick"], env=environment,
                              stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
            self.assertIn("--json", process.stdout.readline() if process.stdout else "")
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            self.assertIn("gate: 3 cases compared with plain", process.communicate(timeout=60)[0])
        self.assertEqual(process.returncode, 130)

    def test_compare_says_what_changed(self):
        done = self.asked("compare", self.run_file, self.run_file)
        self.assertEqual(done.returncode, 0)
        self.assertIn("9 figures compared: 0 faster, 0 slower, 9 no difference", done.stdout)

    def test_a_file_that_cannot_be_used_is_named(self):
        (self.folder / "bad.json").write_text("{", encoding="utf-8")
        done = self.asked("compare", self.run_file, "bad.json")
        self.assertEqual((done.returncode, done.stderr), (2, "certile-bench: bad.json: not JSON, or cut short\n"))
        self.assertEqual(self.asked("goals", "nowhere.json").returncode, 2)
        self.assertEqual(self.asked("report", self.run_file, "--action", "no/such/folder").returncode, 2)

    def test_a_wrong_command_line_is_refused_before_anything_runs(self):
        for words in (["--picture", "picture.tif"], ["--noise", "-1"], ["--noise", "x"]):
            done = self.asked("run", self.program, *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
        self.assertEqual(self.asked("compare", self.run_file).returncode, 2)
        self.assertEqual(self.asked("bake").returncode, 2)

    def test_the_action_gets_name_unit_value_and_range(self):
        self.assertEqual(self.asked("report", self.run_file, "--action", "action.json").returncode, 0)
        entries = json.loads((self.folder / "action.json").read_text(encoding="utf-8"))
        self.assertEqual(len(entries), 9)
        self.assertAlmostEqual(entries[0].pop("value"), 90)
        self.assertEqual(entries[0], {"name": f"quick/{TINY}", "unit": "% of the limit", "range": "± 0.00",
                                      "extra": "regime: tiny\nrounds: 10\ncalls in each: 4\nGB/s: 28.8\nlimit: fill"})

    @unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
    def test_the_ending_says_what_picture_is_written(self):
        for name, begins in (("a.svg", b"<svg "), ("a.html", b"<!DOCTYPE html>"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")):
            self.assertEqual(self.asked("report", self.run_file, "--picture", name).returncode, 0)
            self.assertEqual((self.folder / name).read_bytes()[:len(begins)], begins)

    def test_a_picture_without_matplotlib_says_what_is_missing(self):
        (self.folder / "matplotlib.py").write_text("raise ModuleNotFoundError(name='matplotlib')", encoding="utf-8")
        os.environ["PYTHONPATH"] = str(self.folder)
        self.addCleanup(os.environ.pop, "PYTHONPATH")
        done = self.asked("run", self.program, "--picture", "a.svg")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertEqual(done.stderr, "certile-bench: a picture needs matplotlib; on Debian: apt-get install python3-matplotlib\n")

    @unittest.skipUnless("CERTILE_BENCH" in os.environ, "certile-bench is not built")
    def test_what_certile_bench_writes_is_read(self):
        done = self.asked("run", os.environ["CERTILE_BENCH"], "scalar", "--rounds", "6", "--budget", "1", "--threads", "1", "--case", TINY,
                          "--json", "real.json", "--action", "action.json", wrote=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((self.folder / "action.json").read_text(encoding="utf-8"))[0]["name"], f"scalar/{TINY}")
        self.assertIn("1 figure compared: 0 faster, 0 slower, 1 no difference", self.asked("compare", "real.json", "real.json").stdout)
        document = self.asked("goals", "real.json").stdout
        self.assertIn("\n- Medians of 6 rounds, next to the best", document)


if __name__ == "__main__":
    unittest.main()
