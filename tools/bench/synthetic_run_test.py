"""A made-up run, for the tests of what is made of runs."""
import copy
import json
from typing import Any

from run_file import run_from_json

MEBIBYTE = 1048576
TINY, ROWS, LARGE = "onnx-tile-13 f32[2,3,4] x i64{1,2,3}", "onnx-tile-13 f32[5,1,12800] x i64{1,32,1}", \
    "onnx-tile-13 f32[4096,4096] x i64{2,1}"
MACHINE = {"processor": "Example 9000", "governor": "performance", "system": "Linux 6", "compiler": "g++ 12.2.0", "flags": "-O3",
           "commit": "0123abc", "pages": "huge pages", "benchmark_library": "Google Benchmark 1.7.1", "cores": 2, "level1_bytes": 32768,
           "level2_bytes": MEBIBYTE, "level3_bytes": 32 * MEBIBYTE}


class File:
    """The JSON of a run, made case by case."""

    def __init__(self, baseline: str = "plain"):
        self.facts: dict[str, Any] = {"format": 1, "machine": dict(MACHINE), "command": "certile-bench quick plain broken",
                                      "suite": "workloads", "baseline": baseline, "rules": ["Medians of 10 rounds."], "cases": []}
        self.entries: list[dict[str, Any]] = []
        self.families = 0

    def timed(self, **times: float | None) -> dict[str, Any]:
        """Notes ten rounds around a median for each temperature; none is further away than 2 %."""
        found = {}
        for temperature, median in times.items():
            if median:
                found[temperature] = {"family": self.families, "calls": 4, "cores": 1}
                for index, part in enumerate((1.0, 1.01, 0.99, 1.02, 1.0, 0.995, 1.005, 1.01, 0.99, 1.0)):
                    self.entries.append({"run_type": "iteration", "family_index": self.families, "repetition_index": index,
                                         "real_time": median * part, "time_unit": "ns"})
                self.entries.append({"run_type": "aggregate", "family_index": self.families, "real_time": 0, "time_unit": "ns"})
                self.families += 1
        return found

    def case(self, literal: str, regime: str, read: int, written: int, subjects: dict[str, Any], limits: list[tuple]) -> None:
        """Adds a case; times are hot ones, or (hot, cold), and a text is why a subject failed."""
        self.facts["cases"].append({
            "literal": literal, "regime": regime, "input_bytes": read, "output_bytes": written, "innermost_bytes": 16,
            "subjects": [{"name": name} | ({"verdict": "fail", "why": times} if isinstance(times, str) else
                                           {"verdict": "pass", "why": ""} | self.times(times)) for name, times in subjects.items()],
            "limits": [{"probe": probe, "threads": threads} | self.times(times) for probe, threads, times in limits]})

    def times(self, times: Any) -> dict[str, Any]:
        hot, cold = times if isinstance(times, tuple) else (times, None)
        return self.timed(hot=hot, cold=cold)

    def json(self) -> dict[str, Any]:
        return {"context": {"date": "2026-01-02T03:04:05Z", "certile": self.facts}, "benchmarks": self.entries}


def synthetic_json(names: tuple[str, str, str] = ("quick", "plain", "broken"), baseline: str = "plain") -> dict[str, Any]:
    """Two regimes, three cases; `quick` is at 0.9 of the limit and ten times as fast as `plain`, the baseline; `broken` fails the first
    case."""
    file, size, (quick, plain, broken) = File(baseline), 8 * MEBIBYTE, names
    file.case(TINY, "tiny", 96, 576, {quick: 20, plain: 200, broken: "element [0,0,4] is 0x0, expected 0x3f800000"},
              [("fill", 1, 18), ("memset", 1, 19)])
    for literal, read, written, cold in ((ROWS, 256000, size, True), (LARGE, 64 * MEBIBYTE, 128 * MEBIBYTE, False)):
        file.case(literal, "rows", read, written, {quick: (size / 90, size / 18 if cold else None), plain: size / 9, broken: size / 50},
                  [("fill", 1, (size / 100, size / 20 if cold else None)), ("fill-non-temporal", 1, size / 27), ("copy", 1, size / 95),
                   ("fill", 2, size / 190)])
    return file.json()


def synthetic_run(*names: str, baseline: str = "plain") -> Any:
    return run_from_json(text_of(synthetic_json((names or ("quick", "plain", "broken"))[:3], baseline)))  # type: ignore[arg-type]


def text_of(file: dict[str, Any]) -> str:
    return json.dumps(file)


def slower(run: Any, factor: float, which: int | None = 1) -> Any:
    """Returns the run with the first subject of one case slower, or with everything slower."""
    run = copy.deepcopy(run)
    for index, case in enumerate(run.cases):
        for thing in [*case.subjects, *case.limits] if which is None else case.subjects[:1] if index == which else []:
            for rounds in (thing.hot, thing.cold if which is None else None):
                if rounds:
                    rounds.times = [time * factor for time in rounds.times]
    return run
