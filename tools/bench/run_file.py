"""The run of certile-bench, as its --json wrote it: the facts behind everything else here."""
import json
import math
from dataclasses import dataclass, fields
from typing import Any

from timings import median

FORMAT = 1
TEMPERATURES = ("hot", "cold")


class RunError(Exception):
    """A file that cannot be used: one sentence that begins with its path."""


class Malformed(Exception):
    """A file that is JSON, but not a run."""


@dataclass
class Rounds:
    times: list[float]  # nanoseconds of a call, one for each round
    calls: int = 0      # in each round
    cores: float = 1    # the number of busy cores

    @property
    def median(self) -> float:
        return median(self.times)


@dataclass
class Limit:
    probe: str
    threads: int
    hot: Rounds | None = None
    cold: Rounds | None = None


@dataclass
class Subject:
    name: str
    verdict: str
    why: str  # it was not timed
    hot: Rounds | None = None
    cold: Rounds | None = None


@dataclass
class Case:
    literal: str
    regime: str
    input_bytes: int
    output_bytes: int
    innermost_bytes: int
    subjects: list[Subject]
    limits: list[Limit]

    def subject(self, name: str) -> Subject | None:
        return next((subject for subject in self.subjects if subject.name == name), None)


@dataclass
class Machine:
    processor: str
    governor: str
    system: str
    compiler: str
    flags: str
    commit: str
    pages: str
    benchmark_library: str
    cores: int
    level1_bytes: int
    level2_bytes: int
    level3_bytes: int


@dataclass
class Run:
    machine: Machine
    date: str
    command: str
    suite: str
    baseline: str
    rules: list[str]  # by which its figures were taken; empty in older files
    cases: list[Case]

    def subjects(self) -> list[str]:
        """Returns the names of all, in the order of their first appearance."""
        return list(dict.fromkeys(subject.name for case in self.cases for subject in case.subjects))


def rounds_of(thing: Subject | Limit, temperature: str) -> Rounds | None:
    return thing.hot if temperature == "hot" else thing.cold


def demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Malformed(otherwise)


def whole(value: Any) -> int:
    demand(type(value) is int and value >= 0, f"malformed: {value!r} is not a whole number")
    return int(value)


def built(kind: Any, source: Any, **known: Any) -> Any:
    """Makes a dataclass from the values that `source` has under the names of the fields, and from `known`."""
    values = {}
    for field in fields(kind):
        if field.name not in known:
            value = values[field.name] = source[field.name]
            demand(type(value) is field.type and (field.type is not int or value >= 0), f"malformed: {field.name} is {value!r}")
    return kind(**values, **known)


def times_by_family(entries: Any) -> dict[int, list[float]]:
    families: dict[int, list[float]] = {}
    for entry in entries:
        if entry["run_type"] != "iteration" or entry.get("error_occurred", False):
            continue
        times = families.setdefault(whole(entry["family_index"]), [])
        time = float(entry["real_time"])
        demand(math.isfinite(time) and time > 0, "a time is not positive")
        demand(entry["time_unit"] == "ns", "a time is not in nanoseconds")
        demand(whole(entry["repetition_index"]) == len(times), "repetitions are missing or out of order")
        times.append(time)
    return families


def run_from(file: Any) -> Run:
    context = file["context"]
    demand("certile" in context, "written by another program than certile-bench: it has no context.certile")
    facts = context["certile"]
    demand(whole(facts["format"]) <= FORMAT, "written by a newer certile-bench, in a format that this one does not know")
    families = times_by_family(file["benchmarks"])

    def timed(kind: Any, source: Any) -> Any:
        found = {}
        for temperature in TEMPERATURES:
            series = source.get(temperature)
            if series is not None:
                demand(whole(series["family"]) in families, "the rounds of a series are missing")
                found[temperature] = Rounds(families[series["family"]], whole(series["calls"]), float(series["cores"]))
        return built(kind, source, **{"hot": None, "cold": None} | found)

    cases = [built(Case, case, subjects=[timed(Subject, each) for each in case["subjects"]],
                   limits=[timed(Limit, each) for each in case["limits"]]) for case in facts["cases"]]
    rules = facts.get("rules", [])
    demand(isinstance(rules, list) and all(isinstance(rule, str) for rule in rules), "malformed: rules are not sentences")
    return built(Run, {"date": context["date"], **facts}, machine=built(Machine, facts["machine"]), rules=rules, cases=cases)


def run_from_json(text: bytes | str) -> Run:
    """Reads a run. Raises Malformed with one sentence if it is none."""
    try:
        file = json.loads(text)
    except (ValueError, RecursionError):
        raise Malformed("not JSON, or cut short") from None
    demand(isinstance(file, dict) and "context" in file and "benchmarks" in file,
           "not a benchmark's result: it has no context and no benchmarks")
    try:
        return run_from(file)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as problem:
        raise Malformed(f"malformed: {type(problem).__name__}: {problem}") from None


def read_run(path: str) -> Run:
    try:
        with open(path, "rb") as file:
            return run_from_json(file.read())
    except OSError as problem:
        raise RunError(f"cannot read {path}: {problem.strerror}") from None
    except Malformed as problem:
        raise RunError(f"{path}: {problem}") from None
