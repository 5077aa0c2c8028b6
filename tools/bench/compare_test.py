"""Tests the comparison of two runs, and its rules."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from compare import Options, compare_runs, comparison_report
from gate import CannotDecide, has_regression, is_broken
from run_file import RunError
from synthetic_run_test import LARGE, TINY, hot, slow_down, synthetic_run, text_of

DEFAULT = Options()


def slower_by(factor):
    """The first subject of the second case takes that much longer."""
    run = synthetic_run()
    slow_down(hot(run, 1), factor)
    return run


def on_a_machine_slower_by(factor):
    run = synthetic_run()
    for case in run.cases:
        for subject in case.subjects:
            slow_down(subject.hot, factor)
            slow_down(subject.cold, factor)
        for limit in case.limits:
            slow_down(limit.hot, factor)
            slow_down(limit.cold, factor)
    return run


def compared(before, after, options=DEFAULT):
    found = compare_runs(before, after, options)
    return found, comparison_report(found, options)


def gated(run, rule, options=DEFAULT):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        return is_broken(run, rule, options), out.getvalue()


class Compare(unittest.TestCase):
    def is_regression(self, before, after, **options):
        return compared(before, after, Options(**options))[0].is_regression()

    def test_the_same_run_has_no_difference(self):
        found, text = compared(synthetic_run(), synthetic_run())
        self.assertFalse(found.is_regression())
        self.assertIn("9 figures compared: 0 faster, 0 slower, 9 no difference, 0 of too few rounds\n", text)
        self.assertIn("\n"
                      "  quick, cold              1.00 1.00 to 1.00  1.00 0.99 to 1.01      5 %  no difference  onnx-tile-13 f32[5", text)

    def test_a_regression_beyond_the_noise_is_one(self):
        found, text = compared(synthetic_run(), slower_by(1.2))
        self.assertTrue(found.is_regression())
        self.assertIn("0 faster, 1 slower", text)

    def test_a_regression_within_the_noise_is_none(self):
        self.assertFalse(self.is_regression(synthetic_run(), slower_by(1.04)))
        self.assertFalse(self.is_regression(synthetic_run(), slower_by(1.2), noise=0.25))
        self.assertTrue(self.is_regression(synthetic_run(), slower_by(1.04), noise=0.02))

    def test_an_improvement_is_no_regression(self):
        found, text = compared(slower_by(1.5), synthetic_run())
        self.assertFalse(found.is_regression())
        self.assertIn("1 faster, 0 slower", text)

    def test_the_spread_of_the_rounds_widens_the_bound(self):
        before = synthetic_run()
        rounds = hot(before, 1)
        rounds.times = [time * (0.7, 1.3)[index % 2] for index, time in enumerate(rounds.times)]
        self.assertFalse(self.is_regression(before, slower_by(1.2)))

    def test_a_slower_machine_is_no_regression_of_shares(self):
        self.assertFalse(self.is_regression(synthetic_run(), on_a_machine_slower_by(2)))
        self.assertTrue(self.is_regression(synthetic_run(), on_a_machine_slower_by(2), by_time=True))

    def test_another_machine_is_a_warning(self):
        after = synthetic_run()
        after.machine.processor, after.machine.governor = "Example\x1b[2J", ""
        text = compared(synthetic_run(), after)[1]
        self.assertIn("warning: the processors differ: Example 9000 before, Example\\x1b[2J now\n", text)
        self.assertIn("warning: the governors differ: performance before, not known now\n", text)

    def test_cases_in_only_one_are_listed(self):
        after = synthetic_run()
        after.cases.pop()
        after.cases[0].subjects[1].name = "other"
        found, text = compared(synthetic_run(), after)
        self.assertFalse(found.is_regression())
        self.assertIn(f"only in the old run: quick/{LARGE}\n", text)
        self.assertIn(f"only in the new run: other/{TINY}\n", text)

    def test_a_case_that_fails_now_is_a_regression(self):
        after = synthetic_run()
        after.cases[0].subjects[0].hot = None
        after.cases[0].subjects[0].verdict = "fail"
        found, text = compared(synthetic_run(), after)
        self.assertTrue(found.is_regression())
        self.assertIn(f"fails now: quick/{TINY}\n", text)

    def test_nothing_in_common_decides_nothing(self):
        after = synthetic_run()
        for case in after.cases:
            case.literal += " "
        with contextlib.redirect_stdout(io.StringIO()), self.assertRaisesRegex(CannotDecide, "no case of one backend in common"):
            has_regression(synthetic_run(), after, Options())


class Gate(unittest.TestCase):
    def test_an_older_run_is_compared_with(self):
        run = slower_by(1.2)
        run.cases[0].subjects.pop()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "old.json"
            path.write_text(text_of(synthetic_run()), encoding="utf-8")
            self.assertTrue(gated(run, str(path))[0])
            run.cases[1] = synthetic_run().cases[1]
            self.assertFalse(gated(run, str(path))[0])
        with self.assertRaises(RunError):
            gated(run, "/nowhere/run.json")

    def test_the_baseline_is_broken_by_what_is_slower(self):
        run = synthetic_run()
        run.cases[0].subjects.pop()
        self.assertEqual(gated(run, "baseline"), (False, "gate: 5 cases compared with plain, 0 slower by more than 5 %\n"))
        run.baseline = "quick"
        broken, text = gated(run, "baseline")
        self.assertTrue(broken)
        self.assertIn(f"slower than quick: plain on {TINY}: 0.10 of its speed (0.10 to 0.10)\n", text)

    def test_the_baseline_may_be_that_of_one_subject(self):
        run = synthetic_run()
        run.cases[0].subjects.pop()
        run.baseline = "broken"
        self.assertTrue(gated(run, "baseline")[0])
        self.assertFalse(gated(run, "baseline:quick")[0])
        with self.assertRaisesRegex(CannotDecide, "nothing was timed with it"):
            gated(run, "baseline:nobody")

    def test_a_failure_breaks_every_rule(self):
        broken, text = gated(synthetic_run(), "baseline:quick")
        self.assertTrue(broken)
        self.assertIn(f"fails: broken on {TINY}: element [0,0,4] is 0x0", text)


if __name__ == "__main__":
    unittest.main()
