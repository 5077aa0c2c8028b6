"""Tests the figures of a run for each goal, and their document."""
import copy
import math
import tempfile
import unittest
from pathlib import Path

from document import performance_document, read_counts, read_runs
from goals import ALL_GOALS, repeated_axes, result_of
from run_file import RunError
from shares import bytes_moved, fair_threads, writing_share
from synthetic_run_test import MEBIBYTE, around, hot, passed, synthetic_run, text_of


def simd_run():
    """`simd` at 0.9 of the limit, `numpy` ten times as slow."""
    run = synthetic_run()
    for case in run.cases:
        for subject, name in zip(case.subjects, ("simd", "numpy", "eigen")):
            subject.name = name
    run.baseline = "numpy"
    return run


def result(name, run):
    return result_of(next(goal for goal in ALL_GOALS if goal.name == name), run)


class Shares(unittest.TestCase):
    def share(self, run, which, temperature="hot"):
        return writing_share(run, run.cases[which], run.cases[which].subjects[0], temperature)

    def test_a_share_is_the_limits_time_over_the_subjects(self):
        self.assertAlmostEqual(self.share(synthetic_run(), 0).median, 0.9)
        self.assertAlmostEqual(self.share(synthetic_run(), 0).best, 0.9)

    def test_the_limit_is_the_fastest_way_to_write(self):
        run = synthetic_run()
        self.assertEqual(self.share(run, 1).limit.probe, "fill")
        run.cases[1].limits[1].hot = around(1)
        self.assertEqual(self.share(run, 1).limit.probe, "fill-non-temporal")

    def test_an_input_beyond_the_second_cache_counts_as_moved(self):
        run = synthetic_run()
        self.assertEqual([bytes_moved(case, run.machine) // MEBIBYTE for case in run.cases], [0, 8, 192])
        self.assertAlmostEqual(self.share(run, 2).median, 0.9 * 1.5)

    def test_two_busy_cores_are_held_to_the_limit_of_two(self):
        run = synthetic_run()
        hot(run, 1).cores = 1.2
        self.assertAlmostEqual(self.share(run, 1).median, 0.9)
        hot(run, 1).cores = 1.3
        self.assertAlmostEqual(self.share(run, 1).median, 90 / 190)

    def test_the_nearest_thread_count_that_was_measured_is_taken(self):
        case = synthetic_run().cases[0]
        for threads in (2, 4, 8):
            case.limits.append(copy.copy(case.limits[0]))
            case.limits[-1].threads = threads
        self.assertEqual([fair_threads(case, cores) for cores in (0.4, 3.0, 3.1, 64)], [1, 2, 4, 8])

    def test_cold_is_held_to_the_cold_limit(self):
        run = synthetic_run()
        self.assertAlmostEqual(self.share(run, 1, "cold").median, 0.9)
        self.assertIsNone(self.share(run, 0, "cold"))


class Goals(unittest.TestCase):
    def test_they_speak_only_about_the_cases_they_are_for(self):
        counts = {goal.name: len(result_of(goal, simd_run()).cases) for goal in ALL_GOALS}
        self.assertEqual(counts, {"G1": 1, "G2": 0, "G3": 0, "G4": 0, "G5": 1, "G6, small source": 0, "G6, larger source": 1, "G7": 3,
                                  "G8": 3, "G9, direct call": 1, "G9, plugin": 0})

    def test_they_count_what_reaches_them_and_put_the_worst_first(self):
        run = simd_run()
        run.cases.append(copy.deepcopy(run.cases[2]))
        run.cases[-1].subjects[0].hot = around(hot(run, 2).times[0] * 2)
        found = result("G1", run)
        self.assertEqual((len(found.cases), found.met, found.falls_short), (2, 1, True))
        self.assertAlmostEqual(found.cases[0][1].median, 0.675)
        self.assertAlmostEqual(found.mean.median, math.sqrt(0.675 * 1.35))

    def test_threads_are_held_to_the_limit_of_threads_even_where_one_worked(self):
        run = simd_run()
        run.cases[2].subjects[2] = copy.deepcopy(run.cases[2].subjects[0])
        run.cases[2].subjects[2].name = "openmp"
        self.assertAlmostEqual(result("G2", run).cases[0][1].median, 1.5 * 90 / 190)

    def test_a_case_is_compared_with_its_fastest_framework(self):
        figures = [figure.median for _, figure in result("G8", simd_run()).cases]
        self.assertAlmostEqual(figures[0], 1.8)  # against eigen
        self.assertAlmostEqual(figures[2], 10)   # eigen failed there

    def test_the_tiny_call_is_held_to_memset(self):
        run = simd_run()
        run.cases[0].subjects.append(passed("./libsimd.so", 57))
        self.assertAlmostEqual(result("G9, direct call", run).cases[0][1].median, 20 / 19)
        self.assertAlmostEqual(result("G9, plugin", run).cases[0][1].median, 3)
        self.assertEqual(result("G9, plugin", run).met, 1)

    def test_repeated_axes_are_counted_after_fusing(self):
        for literal, axes in [("onnx-tile-13 f32[2,3,4] x i64{1,2,3}", 2), ("onnx-tile-13 u8[4096,3] x i64{1,64}", 1),
                              ("onnx-tile-13 f32[1,1,12800] x i64{3,200,1}", 1), ("onnx-tile-13 f32[4,4] x i64{1,1}", 0),
                              ("openvino-tile-1 f32[6,14] x i64{100,1,2}", 2), ("openvino-tile-1 u8[3,3] x i64{2}", 1),
                              ("onnx-tile-13 f32[2]{1,2} x i64{3} fill=bits @+4", 1), ("onnx-tile-13 f32[] x i64{}", 0),
                              ("onnx-tile-1 f32[2,3] x i64{2} along i64{1}", 1),
                              ("onnx-tile-13 f32[1,3,100] x i64{10,1,10}", 2), ("nonsense", 0)]:
            self.assertEqual(repeated_axes(literal), axes, literal)


class Document(unittest.TestCase):
    def test_states_each_goal_and_what_was_reached(self):
        text = performance_document([simd_run()], [])
        self.assertIn("`./dev bench --document` measures and writes this page", text)
        self.assertIn("| G1 | workloads | 1 | 1 | 1.35 / 1.35 | 1.35 / 1.35 | reached |", text)
        self.assertIn("| G2 | | 0 | | | | not measured |", text)
        self.assertIn("| G6, larger source | workloads | 1 | 0 | 0.95 / 0.95 | 0.95 / 0.95 | **falls short** |", text)
        for goal in ALL_GOALS:
            self.assertIn(f"- **{goal.name}**: {goal.aim}.\n", text)
        self.assertIn("\n- Medians of 10 rounds.\n", text)

    def test_lists_what_falls_short(self):
        text = performance_document([simd_run()], [])
        self.assertIn("**G6, larger source**, workloads: 1 of 1", text)
        self.assertIn("| `onnx-tile-13 f32[5,1,12800] x i64{1,32,1}` | rows | 8.00 MiB | 0.95 / 0.95 |", text)

    def test_lists_the_twelve_worst_and_counts_the_others(self):
        run = simd_run()
        run.cases += [copy.deepcopy(run.cases[1]) for _ in range(13)]
        self.assertIn("\n… and 2 more, less far away\n", performance_document([run], []))

    def test_shows_instruction_counts_where_there_are_some(self):
        text = performance_document([simd_run()], [("simd", 123.0, "onnx-tile-13 f32[4,8] x i64{2,2}")])
        self.assertIn("| `onnx-tile-13 f32[4,8] x i64{2,2}` | simd | 123 |", text)
        self.assertNotIn("instructions of one call", performance_document([simd_run()], []))

    def test_reads_runs_and_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            run, counts = Path(folder) / "a_run.json", Path(folder) / "counts.txt"
            run.write_text(text_of(simd_run()), encoding="utf-8")
            runs = read_runs([str(run), str(run)])
            self.assertEqual([each.suite for each in runs], ["workloads", "workloads, a_run"])
            self.assertIn("| G1 | workloads, a&#95;run | 1 |", performance_document(runs, []))
            counts.write_text("# a remark\nsimd 140 onnx-tile-13 f32[4,8] x i64{2,2}\n", encoding="utf-8")
            self.assertEqual(read_counts(str(counts)), [("simd", 140.0, "onnx-tile-13 f32[4,8] x i64{2,2}")])
            counts.write_text("simd\n", encoding="utf-8")
            with self.assertRaisesRegex(RunError, "not a line of counts"):
                read_counts(str(counts))
        with self.assertRaises(RunError):
            read_counts("/nowhere/counts.txt")


if __name__ == "__main__":
    unittest.main()
