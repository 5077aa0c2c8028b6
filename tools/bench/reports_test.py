"""What is made of a run: the facts of its file, comparisons, gates, pictures, and the figures of docs/performance.md."""
import contextlib
import copy
import io
import itertools
import json
import os
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import performance
from compare import (
    FASTER,
    NO_DIFFERENCE,
    SLOWER,
    TOO_FEW_ROUNDS,
    action_json,
    compare_paired,
    compare_unpaired,
    has_regression,
    is_broken,
    mann_whitney_rank,
    sign_test_rank,
)
from run_file import RunError, fair_threads, read_run, run_from_json, writing_share
from synthetic_run_test import LARGE, MEBIBYTE, ROWS, TINY, slower, synthetic_json, synthetic_run, text_of

FOLDER = Path(__file__).resolve().parent
HAS_MATPLOTLIB = find_spec("matplotlib") is not None
# Repeats its arguments, writes the run to its last one, and waits for an interrupt if it is asked to.
PROGRAM = """#!/bin/sh
printf '<%s>' "$@"
for last; do :; done
[ -z "$RUN" ] || cp "$RUN" "$last"
[ -z "$WAIT" ] || { trap 'exit 130' INT TERM; echo; while :; do sleep 0.1; done; }
exit "$CODE"
"""


def captured(function, *given):
    """Returns what a function returns, and what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        return function(*given), out.getvalue()


def options(noise=0.05, by_time=False):
    return Namespace(noise=noise, by_time=by_time)


class RunFile(unittest.TestCase):
    def refusal(self, text):
        with self.assertRaises(ValueError) as caught:
            run_from_json(text)
        return str(caught.exception)

    def test_what_is_no_run_is_told_in_one_sentence(self):
        for text in ("{", b"\xff", "[" * 100000):
            self.assertEqual(self.refusal(text), "not JSON, or cut short")
        for text in ("[1]", '{"context":{},"benchmarks":[]}'):
            self.assertIn("not a run of certile-bench", self.refusal(text))
        with self.assertRaisesRegex(RunError, "^cannot read /nowhere/run.json: No such file or directory$"):
            read_run("/nowhere/run.json")

    def test_a_newer_format_missing_rounds_and_times_that_are_none_are_refused(self):
        file = synthetic_json()
        file["context"]["certile"]["format"] = 2
        self.assertIn("written by a newer certile-bench", self.refusal(text_of(file)))
        file = synthetic_json()
        del file["benchmarks"][0]
        self.assertEqual(self.refusal(text_of(file)), "repetitions are missing or out of order")
        for time in (0.0, -1.0, float("nan"), float("inf")):
            file = synthetic_json()
            file["benchmarks"][0]["real_time"] = time
            self.assertIn("a time is not positive", self.refusal(text_of(file)))

    def test_whatever_else_stands_in_a_place_is_a_run_or_a_refusal(self):
        def places(value, path=()):
            for key in value if isinstance(value, dict) else [0, len(value) - 1] if isinstance(value, list) and value else []:
                yield (*path, key)
                yield from places(value[key], (*path, key))
        file, refused = synthetic_json(), 0
        others: list[Any] = [None, -1, "x", [], {}, 1e400]
        for path, other in itertools.product(list(places(file)), others):
            parent: Any = file
            for key in path[:-1]:
                parent = parent[key]
            before, parent[path[-1]] = parent[path[-1]], other
            try:
                run_from_json(text_of(file))
            except ValueError:
                refused += 1
            parent[path[-1]] = before
        self.assertGreater(refused, 300)

    def test_texts_are_printable(self):
        file = synthetic_json()
        file["context"]["certile"]["machine"]["processor"] = "Example\x1b[2J"
        self.assertEqual(run_from_json(text_of(file)).machine.processor, "Example\\x1b[2J")

    def share(self, run, which, temperature="hot"):
        return writing_share(run, run.cases[which], run.cases[which].subjects[0], temperature)

    def test_a_share_is_that_of_the_fastest_limit_and_counts_what_is_read_beyond_the_cache(self):
        run = synthetic_run()
        self.assertAlmostEqual(self.share(run, 0).median, 0.9)
        self.assertEqual(self.share(run, 1).limit.probe, "fill")
        self.assertAlmostEqual(self.share(run, 1, "cold").best, 0.9)
        self.assertAlmostEqual(self.share(run, 2).median, 0.9 * 1.5)
        self.assertIsNone(self.share(run, 2, "cold"))
        run.cases[1].limits.clear()
        self.assertIsNone(self.share(run, 1))

    def test_the_threads_of_a_limit_are_those_that_kept_busy(self):
        case = synthetic_run().cases[1]
        self.assertEqual([fair_threads(case, cores) for cores in (1, 1.2, 1.3, 2, 8)], [1, 1, 2, 2, 2])


class Statistics(unittest.TestCase):
    QUICK, SLOW = [10, 11, 10, 12, 10, 11, 10, 11, 10, 10], [20, 22, 21, 25, 20, 22, 20, 23, 20, 20]

    def test_a_clear_difference_is_called_by_its_name_and_noise_none(self):
        one, other = [10, 30, 12, 28, 11, 29, 13, 27, 10, 30], [30, 10, 28, 12, 29, 11, 27, 13, 30, 10]
        for compare in (compare_paired, compare_unpaired):
            self.assertEqual(compare(self.QUICK, self.SLOW).word, FASTER)
            self.assertEqual(compare(self.SLOW, self.QUICK).word, SLOWER)
            self.assertEqual(compare(one, other).word, NO_DIFFERENCE)
        self.assertEqual(compare_paired([100] * 20, [101] * 20).word, NO_DIFFERENCE)
        self.assertEqual(compare_paired([100] * 20, [101] * 20, 0.005).word, FASTER)

    def test_a_word_needs_six_rounds_in_pairs_and_four_without(self):
        self.assertEqual([compare_paired([1] * count, [2] * count).word for count in (0, 5, 6)], [TOO_FEW_ROUNDS] * 2 + [FASTER])
        self.assertEqual([compare_unpaired([1] * count, [2] * count).word for count in (3, 4)], [TOO_FEW_ROUNDS, FASTER])

    def test_ranks_are_those_of_the_tables(self):
        # Critical values of the sign test, and of Mann and Whitney's U, at 5 % on both sides, and one more, or one less of many.
        self.assertEqual([sign_test_rank(count) for count in (5, 6, 15, 25)], [0, 1, 4, 8])
        self.assertEqual([mann_whitney_rank(*counts) for counts in ((3, 4), (4, 4), (5, 5), (8, 10), (20, 20))], [0, 1, 3, 17, 127])
        paired = compare_paired([1] * 15, list(range(1, 16)))
        self.assertEqual((paired.low, paired.high), (4, 12))


class Compare(unittest.TestCase):
    def compared(self, before, after, **given):
        return captured(has_regression, before, after, options(**given))

    def test_the_same_run_has_no_difference(self):
        is_worse, text = self.compared(synthetic_run(), synthetic_run())
        self.assertFalse(is_worse)
        self.assertIn("9 compared: 0 faster, 0 slower, 9 no difference, 0 too few rounds\n", text)
        self.assertIn("\n  quick, cold              1.00 1.00 to 1.00  1.00 0.99 to 1.01      5 %  no difference  onnx-tile-13 f32[5", text)

    def test_a_difference_beyond_the_noise_is_one(self):
        for before, after, noise, expected in ((1, 1.2, 0.05, True), (1, 1.04, 0.05, False), (1, 1.2, 0.25, False), (1, 1.04, 0.02, True),
                                               (1.5, 1, 0.05, False)):
            run = synthetic_run()
            self.assertEqual(self.compared(slower(run, before), slower(run, after), noise=noise)[0], expected, (before, after, noise))
        self.assertIn("1 faster, 0 slower", self.compared(slower(run, 1.5), run)[1])

    def test_the_spread_of_the_rounds_widens_the_bound(self):
        before = synthetic_run()
        rounds = before.cases[1].subjects[0].hot
        rounds.times = [time * (0.7, 1.3)[index % 2] for index, time in enumerate(rounds.times)]
        self.assertFalse(self.compared(before, slower(synthetic_run(), 1.2))[0])

    def test_a_slower_machine_is_no_regression_of_shares_and_another_one_a_warning(self):
        after = slower(synthetic_run(), 2, which=None)
        after.machine.processor, after.machine.governor = "Other", ""
        self.assertTrue(self.compared(synthetic_run(), after, by_time=True)[0])
        is_worse, text = self.compared(synthetic_run(), after)
        self.assertFalse(is_worse)
        self.assertIn("warning: the machines differ in processor: Example 9000 before, Other now\n", text)
        self.assertIn("in governor: performance before, not known now\n", text)

    def test_cases_in_only_one_are_listed_and_one_that_fails_now_is_a_regression(self):
        after = synthetic_run()
        after.cases.pop()
        after.cases[0].subjects[1].name = "other"
        is_worse, text = self.compared(synthetic_run(), after)
        self.assertFalse(is_worse)
        self.assertIn(f"only in the old run: quick/{LARGE}\n", text)
        self.assertIn(f"only in the new run: other/{TINY}\n", text)
        after.cases[0].subjects[0].hot, after.cases[0].subjects[0].verdict = None, "fail"
        is_worse, text = self.compared(synthetic_run(), after)
        self.assertTrue(is_worse)
        self.assertIn(f"fails now: quick/{TINY}\n", text)

    def test_nothing_in_common_decides_nothing(self):
        after = synthetic_run()
        for case in after.cases:
            case.literal += " "
        with self.assertRaisesRegex(RunError, "no case of one backend in common"):
            self.compared(synthetic_run(), after)

    def gated(self, run, rule):
        return captured(is_broken, run, rule, options())

    def test_an_older_run_is_a_gate(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "old.json"
            path.write_text(text_of(synthetic_json()), encoding="utf-8")
            for factor, expected in ((1.2, True), (1, False)):
                run = slower(synthetic_run(), factor)
                run.cases[0].subjects.pop()  # what fails
                self.assertEqual(self.gated(run, str(path))[0], expected)
        with self.assertRaises(RunError):
            self.gated(synthetic_run(), "/nowhere/run.json")

    def test_the_baseline_is_a_gate_for_all_or_for_one_subject(self):
        run = synthetic_run()
        run.cases[0].subjects.pop()
        self.assertEqual(self.gated(run, "baseline"), (False, "gate: 5 compared with plain, 0 slower by more than 5 %\n"))
        run.baseline = "quick"
        self.assertIn(f"slower than quick: plain on {TINY}: 0.10 0.10 to 0.10 of its speed\n", self.gated(run, "baseline")[1])
        run.baseline = "broken"
        self.assertTrue(self.gated(run, "baseline")[0])
        self.assertFalse(self.gated(run, "baseline:quick")[0])
        with self.assertRaisesRegex(RunError, "nothing was timed with it"):
            self.gated(run, "baseline:no one")

    def test_a_failure_breaks_every_gate(self):
        broken, text = self.gated(synthetic_run(), "baseline:quick")
        self.assertTrue(broken)
        self.assertIn(f"fails: broken on {TINY}: element [0,0,4] is 0x0", text)

    def test_the_action_gets_name_unit_value_and_range(self):
        entries = json.loads(action_json(synthetic_run()))
        self.assertEqual(len(entries), 9)
        self.assertAlmostEqual(entries[0].pop("value"), 90)
        self.assertEqual(entries[0], {"name": f"quick/{TINY}", "unit": "% of the limit", "range": "± 0.00",
                                      "extra": "regime: tiny\nrounds: 10\ncalls in each: 4\nGB/s: 28.8\nlimit: fill"})


@unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
class Picture(unittest.TestCase):
    def svg(self, run, most=4):
        import picture
        with tempfile.TemporaryDirectory() as folder:
            picture.write_picture(f"{folder}/a.svg", run, most)
            return Path(f"{folder}/a.svg").read_text(encoding="utf-8")

    def test_few_cases_are_bars_with_their_names_and_texts_are_texts(self):
        run = synthetic_run()
        run.cases[0].subjects[0].name = "<script>$x^2$"
        svg = self.svg(run)
        self.assertIn("&lt;script&gt;$x^2$", svg)
        self.assertIn("onnx-tile-13 f32[2,3,4] x i64{1,2,3}", svg)
        self.assertIn("plain, cold" if run.cases[1].subjects[1].cold else "quick, cold", svg)
        self.assertEqual(svg, self.svg(run))

    def test_many_cases_are_drawn_over_their_sizes(self):
        run = synthetic_run()
        run.cases += [copy.deepcopy(run.cases[1]) for _ in range(12)]
        svg = self.svg(run)
        for words in ("size of the output, bytes written", "1 KiB", "L1", "L2"):
            self.assertIn(words, svg)
        self.assertNotIn("x i64{1,32,1}", svg)

    def test_of_more_backends_than_asked_for_the_baseline_stays(self):
        import picture
        self.assertEqual(picture.series_of(synthetic_run(baseline="broken"), 2), ["quick", "broken"])
        self.assertIn("1 more backends with --series", self.svg(synthetic_run(), 2))

    def test_of_nothing_it_says_so(self):
        run = synthetic_run()
        run.cases.clear()
        self.assertIn("nothing was timed", self.svg(run))


class Performance(unittest.TestCase):
    def figure(self, name, run, which):
        return performance.figure_of(next(goal for goal in performance.GOALS if goal.name == name), run, run.cases[which])

    def test_neighbours_that_are_one_axis_count_once(self):
        for literal, count in (("f32[2,3,4] x i64{1,1,1}", 0), ("f32[2,3,4] x i64{1,2,3}", 2), ("f32[1,1,3] x i64{4,5,1}", 1),
                               ("f32[2,3] x i64{2,1,3}", 2), ("f32[2,3] x i64{2} along i64{1}", 1), ("u8{1,2} x i64{2}", 0)):
            self.assertEqual(performance.repeated_axes(f"onnx-tile-13 {literal}"), count, literal)

    def test_each_goal_has_its_figure(self):
        run = synthetic_run("simd", "numpy", "openmp")
        for name, which, expected in (("N1", 0, 1 / 0.9), ("N4, larger source", 1, 90 / 95), ("N7", 1, 10), ("N8", 1, 50 / 90),
                                      ("N5, larger source", 2, 1.35), ("N2", 0, None), ("N6, to 64 KiB", 0, None), ("N1, plugin", 0, None)):
            figure = self.figure(name, run, which)
            self.assertEqual(figure is None, expected is None, name)
            if figure:
                self.assertAlmostEqual(figure[0], expected, 2, name)
        plugin = synthetic_run("simd", "build/simd.so", "eigen")
        self.assertAlmostEqual(self.figure("N1, plugin", plugin, 0)[0], 10)
        self.assertIsNone(self.figure("N7", plugin, 0))  # eigen failed, and the plugin is ours

    def test_packed_types_have_goals_of_their_own(self):
        run = synthetic_run("simd", "numpy", "openmp")
        run.cases[0].literal = "openvino-tile-1 u4[3] x i64{2}"
        self.assertIsNone(self.figure("N1", run, 0))
        self.assertAlmostEqual(self.figure("N6, to 64 KiB", run, 0)[0], 0.9)

    def test_the_document_gets_its_figures_and_keeps_everything_else(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [f"{folder}/{name}.json" for name in ("workloads-1", "workloads-2", "onnx-1")]
            for path in paths:
                Path(path).write_text(text_of(synthetic_json(("simd", "numpy", "openmp"))), encoding="utf-8")
            parts = performance.figures("# counted\nsimd 501.4 onnx-tile-13 f32[1] x i64{2}\n", paths)
        self.assertIn("- **workloads**, 3 cases, timed by 2 runs from 2026", parts["runs"])
        self.assertIn("- **workloads, onnx**, 3 cases, timed by 1 runs", parts["runs"])
        self.assertIn("processor: Example 9000; ", parts["runs"])
        self.assertIn("| N1 | workloads | 1 | 1 | 1.11 / 1.11 | 1.11 / 1.11 | reached |\n", parts["goals"])
        self.assertIn("| N8 | workloads | 1 | 0 | 0.56 / 0.56 | 0.56 / 0.56 | **falls short** |\n", parts["goals"])
        self.assertIn("| N2 |  | 0 |  |  |  | not measured |\n", parts["goals"])
        self.assertIn("**N8**, workloads: 1 of 1\n\n| case | regime | written | reached |\n|---|---|---|---|\n"
                      f"| `{ROWS}` | rows | 8.00 MiB |", parts["short"])
        self.assertIn("| `onnx-tile-13 f32[1] x i64{2}` | simd | 501 | 220 |\n", parts["instructions"])
        document = "a\n<!-- rules -->\nold\n<!-- end -->\nb\n<!-- goals -->\n\n<!-- end -->\n"
        self.assertEqual(performance.written(document, parts | {"goals": "new\n"}),
                         "a\n<!-- rules -->\n\n- Medians of 10 rounds.\n\n<!-- end -->\nb\n<!-- goals -->\n\nnew\n\n<!-- end -->\n")
        with self.assertRaises(KeyError):
            performance.written("<!-- speed -->\n<!-- end -->\n", parts)


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="certile bench "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.program, self.run_file = self.folder / "program", self.folder / "run.json"
        self.program.write_text(PROGRAM, encoding="utf-8")
        self.program.chmod(0o755)
        self.write(synthetic_json())

    def write(self, file):
        del file["context"]["certile"]["cases"][0]["subjects"][2]  # what fails
        self.run_file.write_text(text_of(file), encoding="utf-8")

    def asked(self, *words, code=0, wrote=True, **variables):
        environment = os.environ | {"CODE": str(code), "RUN": str(self.run_file) if wrote else ""} | variables
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
        main = Namespace(**runpy.run_path(str(FOLDER / "__main__.py")))
        self.program.write_text('#!/bin/sh\ncp "$RUN" "$2"\nexit $CODE\n', encoding="utf-8")
        for baseline, codes in (("plain", {0: 0, 2: 2, 4: 4, 5: 5, 130: 130}), ("quick", {0: 1, 4: 4, 5: 1})):
            self.write(synthetic_json(baseline=baseline))
            for code, expected in codes.items():
                os.environ.update(CODE=str(code), RUN=str(self.run_file))
                given = Namespace(json=str(self.folder / "out.json"), program=self.program, action=None, picture=None, gate=["baseline"],
                                  noise=0.05, by_time=False)
                self.assertEqual(captured(main.measure, given, [])[0], expected, (baseline, code))

    def test_an_interrupt_is_the_programs_matter(self):
        environment = os.environ | {"CODE": "0", "RUN": str(self.run_file), "WAIT": "yes"}
        with subprocess.Popen([sys.executable, "-B", FOLDER, "run", self.program, "--gate", "baseline:quick"], env=environment,
                              stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
            self.assertIn("--json", process.stdout.readline() if process.stdout else "")
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            self.assertIn("gate: 3 compared with plain", process.communicate(timeout=60)[0])
        self.assertEqual(process.returncode, 130)

    def test_a_file_that_cannot_be_used_is_named(self):
        (self.folder / "bad.json").write_text("{", encoding="utf-8")
        done = self.asked("compare", self.run_file, "bad.json")
        self.assertEqual((done.returncode, done.stderr), (2, "certile-bench: bad.json: not JSON, or cut short\n"))
        self.assertEqual(self.asked("report", self.run_file, "--action", "no/such/folder").returncode, 2)

    def test_a_wrong_command_line_is_refused_before_anything_runs(self):
        for words in (["--picture", "picture.tif"], ["--noise", "-1"]):
            done = self.asked("run", self.program, *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)

    def test_a_picture_without_matplotlib_says_what_is_missing(self):
        (self.folder / "matplotlib.py").write_text("raise ModuleNotFoundError(name='matplotlib')", encoding="utf-8")
        done = self.asked("run", self.program, "--picture", "a.svg", PYTHONPATH=str(self.folder))
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertEqual(done.stderr, "certile-bench: a picture needs matplotlib; on Debian: apt-get install python3-matplotlib\n")

    @unittest.skipUnless("CERTILE_BENCH" in os.environ, "certile-bench is not built")
    def test_what_certile_bench_writes_is_read(self):
        done = self.asked("run", os.environ["CERTILE_BENCH"], "scalar", "--rounds", "6", "--budget", "1", "--threads", "1", "--case", TINY,
                          "--json", "real.json", wrote=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        path = str(self.folder / "real.json")
        run = read_run(path)
        self.assertIn("1 compared: 0 faster, 0 slower, 1 no difference", captured(has_regression, run, run, options())[1])
        self.assertIn("\n- Medians of 6 rounds, next to the best", "\n" + performance.figures("", [path])["rules"])
        self.assertGreater(read_run(path).cases[0].output_bytes, MEBIBYTE / 2**12)


if __name__ == "__main__":
    unittest.main()
