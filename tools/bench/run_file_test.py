"""Reading what certile-bench wrote."""
import copy
import json
import unittest
from typing import Any

from run_file import Malformed, RunError, read_run, run_from_json
from synthetic_run_test import hot, json_of, synthetic_run, text_of


def places(value: Any, path: tuple = ()) -> Any:
    """Yields the path of everything in a JSON value; of the entries of a list those of the first and the last."""
    for key in value if isinstance(value, dict) else [0, len(value) - 1] if isinstance(value, list) and value else []:
        yield (*path, key)
        yield from places(value[key], (*path, key))


class RunFile(unittest.TestCase):
    def refusal(self, text):
        with self.assertRaises(Malformed) as caught:
            run_from_json(text)
        return str(caught.exception)

    def test_gives_back_every_fact(self):
        self.assertEqual(run_from_json(text_of(synthetic_run())), synthetic_run())

    def test_a_case_that_is_there_twice_keeps_its_rounds_apart(self):
        run = synthetic_run()
        run.cases.append(copy.deepcopy(run.cases[0]))
        hot(run, -1).times[0] = 77
        self.assertEqual(run_from_json(text_of(run)), run)

    def test_an_older_file_says_no_rules(self):
        file = json_of(synthetic_run())
        del file["context"]["certile"]["rules"]
        self.assertEqual(run_from_json(json.dumps(file)).rules, [])

    def test_what_is_no_run_is_told_in_one_sentence(self):
        self.assertEqual(self.refusal("{"), "not JSON, or cut short")
        self.assertEqual(self.refusal(b"\xff"), "not JSON, or cut short")
        self.assertEqual(self.refusal("[" * 100000), "not JSON, or cut short")
        self.assertEqual(self.refusal("[1]"), "not a benchmark's result: it has no context and no benchmarks")
        self.assertEqual(self.refusal('{"context":{},"benchmarks":[]}'),
                         "written by another program than certile-bench: it has no context.certile")

    def test_a_newer_format_is_refused(self):
        file = json_of(synthetic_run())
        file["context"]["certile"]["format"] = 2
        self.assertEqual(self.refusal(json.dumps(file)),
                         "written by a newer certile-bench, in a format that this one does not know")

    def test_rounds_that_are_missing_are_noticed(self):
        file = json_of(synthetic_run())
        del file["benchmarks"][0]
        self.assertEqual(self.refusal(json.dumps(file)), "repetitions are missing or out of order")
        file["benchmarks"].clear()
        self.assertEqual(self.refusal(json.dumps(file)), "the rounds of a series are missing")

    def test_a_time_that_is_none_is_refused(self):
        for time in (0.0, -1.0, float("nan"), float("inf")):
            file = json_of(synthetic_run())
            file["benchmarks"][0]["real_time"] = time
            self.assertEqual(self.refusal(json.dumps(file)), "a time is not positive")

    def test_whatever_else_stands_in_a_place_is_a_run_or_a_refusal(self):
        whole = json_of(synthetic_run())
        refused = 0
        others: list[Any] = [None, -1, "x", [], {}, [None], 1e400]
        for path in list(places(whole)):
            for other in others:
                file = copy.deepcopy(whole)
                parent = file
                for key in path[:-1]:
                    parent = parent[key]
                parent[path[-1]] = other
                try:
                    run_from_json(json.dumps(file))
                except Malformed:
                    refused += 1
        self.assertGreater(refused, 500)

    def test_a_file_that_cannot_be_read_is_named(self):
        with self.assertRaisesRegex(RunError, "^cannot read /nowhere/run.json: No such file or directory$"):
            read_run("/nowhere/run.json")


if __name__ == "__main__":
    unittest.main()
