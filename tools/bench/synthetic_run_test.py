"""A made-up run, for the tests of what is made of runs."""
import copy
import json
from dataclasses import asdict
from typing import Any

from run_file import TEMPERATURES, Case, Limit, Machine, Rounds, Run, Subject, rounds_of

MEBIBYTE = 1048576
TINY, ROWS, LARGE = "onnx-tile-13 f32[2,3,4] x i64{1,2,3}", "onnx-tile-13 f32[5,1,12800] x i64{1,32,1}", \
    "onnx-tile-13 f32[4096,4096] x i64{2,1}"


def around(nanoseconds: float, cores: float = 1) -> Rounds:
    """Ten rounds around their median; none is further away than 2 %."""
    return Rounds([nanoseconds * part for part in (1.0, 1.01, 0.99, 1.02, 1.0, 0.995, 1.005, 1.01, 0.99, 1.0)], 4, cores)


def passed(name: str, nanoseconds: float, cold: float | None = None) -> Subject:
    return Subject(name, "pass", "", around(nanoseconds), around(cold) if cold else None)


def hot(run: Run, which: int, index: int = 0) -> Rounds:
    """The hot rounds of a subject of a case."""
    rounds = run.cases[which].subjects[index].hot
    assert rounds
    return rounds


def slow_down(rounds: Rounds | None, factor: float) -> None:
    if rounds:
        rounds.times = [time * factor for time in rounds.times]


def synthetic_run() -> Run:
    """Two regimes, three cases; `quick` is at 0.9 of the limit and ten times as fast as `plain`, the baseline; `broken` fails the first
    case."""
    machine = Machine("Example 9000", "performance", "Linux 6", "g++ 12.2.0", "-O3", "0123abc", "huge pages",
                      "Google Benchmark 1.7.1, a debug build", 2, 32768, MEBIBYTE, 32 * MEBIBYTE)
    tiny = Case(TINY, "tiny", 96, 576, 16,
                [passed("quick", 20), passed("plain", 200), Subject("broken", "fail", "element [0,0,4] is 0x0, expected 0x3f800000")],
                [Limit("fill", 1, around(18)), Limit("memset", 1, around(19))])
    size = 8 * MEBIBYTE
    rows = Case(ROWS, "rows", 256000, size, 51200,
                [passed("quick", size / 90, cold=size / 18), passed("plain", size / 9), passed("broken", size / 50)],
                [Limit("fill", 1, around(size / 100), around(size / 20)), Limit("fill-non-temporal", 1, around(size / 27)),
                 Limit("copy", 1, around(size / 95)), Limit("fill", 2, around(size / 190))])
    large = copy.deepcopy(rows)
    large.literal, large.input_bytes, large.output_bytes = LARGE, 64 * MEBIBYTE, 128 * MEBIBYTE
    large.subjects[0].cold = large.limits[0].cold = None
    return Run(machine, "2026-01-02T03:04:05Z", "certile-bench quick plain broken", "workloads", "plain", ["Medians of 10 rounds."],
               [tiny, rows, large])


def json_of(run: Run) -> dict[str, Any]:
    """Returns what certile-bench would write, as far as it is read here."""
    facts, benchmarks, family = asdict(run) | {"format": 1}, [], 0
    for case, stated in zip(run.cases, facts["cases"]):
        things: list[Subject | Limit] = [*case.subjects, *case.limits]
        for thing, said in zip(things, stated["subjects"] + stated["limits"]):
            for temperature in TEMPERATURES:
                del said[temperature]
                if rounds := rounds_of(thing, temperature):
                    said[temperature] = {"family": family, "calls": rounds.calls, "cores": rounds.cores}
                    benchmarks += [{"run_type": "iteration", "family_index": family, "repetition_index": index, "real_time": time,
                                    "time_unit": "ns"} for index, time in enumerate(rounds.times)]
                    benchmarks.append({"run_type": "aggregate", "family_index": family, "real_time": 0, "time_unit": "ns"})
                    family += 1
    return {"context": {"date": run.date, "certile": facts}, "benchmarks": benchmarks}


def text_of(run: Run) -> str:
    return json.dumps(json_of(run))
