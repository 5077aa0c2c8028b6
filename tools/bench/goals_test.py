"""Tests the figures of a run for each goal, and their document."""
import copy
import math
import tempfile
import unittest
from pathlib import Path

from document import performance_document, read_counts, read_runs
from goals import ALL_GOALS, repeated_axes, result_of
from run_file import Limit, RunError
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
    return result_of(next(goal for goal in ALL_GOALS if goal.name == name), [run])


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
        counts = {goal.name: len(result_of(goal, [simd_run()]).cases) for goal in ALL_GOALS}
        self.assertEqual(counts, {"N1": 1, "N1, plugin": 0, "N2": 0, "N3, one axis": 0, "N3, several axes": 0, "N4, small source": 0,
                                  "N4, larger source": 1, "N5": 0, "N5, larger source": 1, "N6, to 64 KiB": 0, "N6, to 1 MiB": 0,
                                  "N6, to 24 MiB": 0, "N7": 3, "N8": 0})

    def test_packed_types_have_goals_of_their_own(self):
        run = simd_run()
        for literal, is_there in [("openvino-tile-1 u4[2,3,4] x i64{1,2,3}", True), ("openvino-tile-1 nf4[5,7] x i64{3,3}", True),
                                  ("openvino-tile-1 u16[5,7] x i64{3,3}", False), ("openvino-tile-1 i4[5,7] x i64{1,1}", False)]:
            run.cases[0].literal = literal
            self.assertEqual(len(result("N6, to 64 KiB", run).cases), int(is_there), literal)
            self.assertEqual(len(result("N1", run).cases), int("u16" in literal), literal)

    def test_they_count_what_reaches_them_and_put_the_worst_first(self):
        run = simd_run()
        run.cases.append(copy.deepcopy(run.cases[2]))
        run.cases[-1].literal += " fill=bits"
        run.cases[-1].subjects[0].hot = around(hot(run, 2).times[0] * 2)
        found = result("N7", run)
        self.assertEqual((len(found.cases), found.met, found.falls_short), (4, 3, True))
        self.assertAlmostEqual(found.cases[0][1].median, 0.9)  # against eigen
        self.assertAlmostEqual(found.mean.median, math.prod([0.9, 1.8, 1.8, 10]) ** (1 / 4))

    def test_a_figure_is_the_median_of_those_of_several_processes(self):
        processes = [simd_run() for _ in range(3)]
        for run, factor in zip(processes, (1, 3, 2)):
            run.cases[2].subjects[0].hot = around(hot(run, 2).times[0] * factor)
        found = result_of(next(goal for goal in ALL_GOALS if goal.name == "N5, larger source"), processes)
        self.assertEqual(len(found.cases), 1)
        self.assertAlmostEqual(found.cases[0][1].median, 1.35 / 2)
        self.assertTrue(found.falls_short)

    def test_threads_are_compared_with_one_thread_by_best_samples(self):
        run = simd_run()
        run.cases[1].subjects[2] = passed("openmp", hot(run, 1).median / 1.5)
        self.assertAlmostEqual(result("N8", run).cases[0][1].median, 1.5)
        self.assertTrue(result("N8", run).falls_short)  # in the mean

    def test_a_case_is_compared_with_its_fastest_framework(self):
        figures = [figure.median for _, figure in result("N7", simd_run()).cases]
        self.assertAlmostEqual(figures[0], 1.8)  # against eigen
        self.assertAlmostEqual(figures[2], 10)   # eigen failed there

    def test_a_tiny_output_is_held_to_a_call_that_fills_it(self):
        run = simd_run()
        self.assertAlmostEqual(result("N1", run).cases[0][1].median, 20 / 18)
        run.cases[0].limits.append(Limit("call", 1, around(5)))
        found = result("N1", run)
        self.assertAlmostEqual(found.cases[0][1].median, 4)
        self.assertEqual((found.met, found.falls_short), (0, True))
        run.cases[0].limits[-1].hot = around(16)
        self.assertFalse(result("N1", run).falls_short)

    def test_a_plugin_is_compared_with_the_same_kernel_in_the_program(self):
        for name in ("./libsimd.so", "simd-plugin"):
            run = simd_run()
            run.cases[0].subjects.append(passed(name, 23))
            self.assertAlmostEqual(result("N1, plugin", run).cases[0][1].median, 1.15)
            self.assertTrue(result("N1, plugin", run).falls_short)

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
        text = performance_document([[simd_run()]], [])
        self.assertIn("`./dev bench --document` measures and writes this page", text)
        self.assertIn("| N5, larger source | workloads | 1 |  | 1.35 / 1.35 | 1.35 / 1.35 | reached |", text)
        self.assertIn("| N8 | | 0 | | | | not measured |", text)
        self.assertIn("| N4, larger source | workloads | 1 |  | 0.95 / 0.95 | 0.95 / 0.95 |", text)
        for goal in ALL_GOALS:
            self.assertIn(f"- **{goal.name}**: {goal.aim}.\n", text)
        self.assertIn("\n- Medians of 10 rounds.\n", text)

    def test_lists_what_falls_short(self):
        run = simd_run()
        run.cases[0].limits.append(Limit("call", 1, around(5)))
        text = performance_document([[run]], [])
        self.assertIn("**N1**, workloads: 1 of 1", text)
        self.assertIn("| `onnx-tile-13 f32[2,3,4] x i64{1,2,3}` | tiny | 576 B | 4.00 / 4.00 |", text)

    def test_lists_the_twelve_worst_and_counts_the_others(self):
        run = simd_run()
        run.cases[0].limits.append(Limit("call", 1, around(5)))
        for number in range(13):
            run.cases.append(copy.deepcopy(run.cases[0]))
            run.cases[-1].literal += f" seed={number}"
        self.assertIn("\n… and 2 more, less far away\n", performance_document([[run]], []))

    def test_shows_instruction_counts_where_there_are_some(self):
        text = performance_document([[simd_run()]], [("simd", 123.0, "onnx-tile-13 f32[4,8] x i64{2,2}"),
                                                     ("simd", 150.0, "onnx-tile-13 f32[1] x i64{2}")])
        self.assertIn("| `onnx-tile-13 f32[4,8] x i64{2,2}` | simd | 123 |  |", text)
        self.assertIn("| `onnx-tile-13 f32[1] x i64{2}` | simd | 150 | 220 |", text)
        self.assertNotIn("instructions of one call", performance_document([[simd_run()]], []))

    def test_reads_runs_and_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            paths, counts = [Path(folder) / name for name in ("all-1.json", "all-2.json", "a_run.json")], Path(folder) / "counts.txt"
            for path in paths:
                path.write_text(text_of(simd_run()), encoding="utf-8")
            suites = read_runs([str(path) for path in paths])
            self.assertEqual([[each.suite for each in processes] for processes in suites],
                             [["workloads", "workloads"], ["workloads, a_run"]])
            self.assertIn("| N7 | workloads, a&#95;run | 3 |", performance_document(suites, []))
            counts.write_text("# a remark\nsimd 140 onnx-tile-13 f32[4,8] x i64{2,2}\n", encoding="utf-8")
            self.assertEqual(read_counts(str(counts)), [("simd", 140.0, "onnx-tile-13 f32[4,8] x i64{2,2}")])
            counts.write_text("simd\n", encoding="utf-8")
            with self.assertRaisesRegex(RunError, "not a line of counts"):
                read_counts(str(counts))
        with self.assertRaises(RunError):
            read_counts("/nowhere/counts.txt")


if __name__ == "__main__":
    unittest.main()
