"""The run of certile-bench, as its --json wrote it, and the shares of the machine's limit that follow from it.
bench/run/statistics.cpp computes the same shares for the table."""
import json
import math
import re
from dataclasses import dataclass
from statistics import median
from types import SimpleNamespace
from typing import Any

FORMAT = 1
TEMPERATURES = ("hot", "cold")
MORE_THAN_ONE_CORE = 1.25
CALLING, WRITING, COPYING = (("call",), ("fill", "fill-non-temporal", "fill-string", "memset"),
                             ("copy", "copy-non-temporal", "copy-string", "memcpy"))
# The facts of a run, of its machine, of a case, and of what was timed; each case has subjects and limits, which have rounds.
TEXTS = {"run": "date command suite baseline", "case": "literal regime", "subject": "name verdict why", "limit": "probe",
         "machine": "processor governor system compiler flags commit pages benchmark_library"}
NUMBERS = {"run": "format", "case": "input_bytes output_bytes innermost_bytes", "subject": "", "limit": "threads",
           "machine": "cores level1_bytes level2_bytes level3_bytes"}


class RunError(Exception):
    """A file that cannot be used, or from which nothing follows: one sentence."""


@dataclass
class Rounds:
    times: list[float]  # nanoseconds of a call, one for each round
    calls: int          # in each round
    cores: float        # the number of busy cores

    @property
    def median(self) -> float:
        return median(self.times)


@dataclass
class Share:
    """A share of a limit. Each round is compared with the limit's time of the same round."""
    limit: Any
    rounds: list[float]
    best: float  # the best call against the limit's best call

    @property
    def median(self) -> float:
        return median(self.rounds)


def printable(text: str) -> str:
    """Shows control characters, invisible ones, and beginnings of commands to a CI system as \\xNN."""
    shown = "".join(each if each.isprintable() else "".join(f"\\x{byte:02x}" for byte in each.encode("utf-8", "surrogatepass"))
                    for each in text)
    return re.sub(r"^(\s*):", r"\1\\x3a", re.sub(r"#(?=#[A-Za-z]*\[)", r"\\x23", shown))


def demand(condition: bool, sentence: str) -> None:
    if not condition:
        raise ValueError(sentence)


def checked(thing: Any, kind: str) -> Any:
    """Returns the thing if it has what its kind has; its texts become printable."""
    for name in TEXTS[kind].split():
        demand(isinstance(getattr(thing, name), str), f"{name} is no text")
        setattr(thing, name, printable(getattr(thing, name)))
    for name in NUMBERS[kind].split():
        demand(type(getattr(thing, name)) is int and getattr(thing, name) >= 0, f"{name} is no number")
    return thing


def rounds_by_family(entries: Any) -> dict[int, list[float]]:
    families: dict[int, list[float]] = {}
    for entry in entries:
        if entry.run_type == "iteration" and not getattr(entry, "error_occurred", False):
            times = families.setdefault(entry.family_index, [])
            demand(entry.repetition_index == len(times), "repetitions are missing or out of order")
            demand(entry.time_unit == "ns" and 0 < float(entry.real_time) < math.inf, "a time is not positive, or not in nanoseconds")
            times.append(float(entry.real_time))
    return families


def run_from_json(text: bytes | str) -> Any:
    """Reads a run. Raises ValueError with one sentence if it is none."""
    try:
        file = json.loads(text, object_hook=lambda fields: SimpleNamespace(**fields))
    except (ValueError, RecursionError, TypeError):
        raise ValueError("not JSON, or cut short") from None
    try:
        run = file.context.certile
        run.date = file.context.date
        demand(checked(run, "run").format <= FORMAT, "written by a newer certile-bench, in a format that this one does not know")
        checked(run.machine, "machine")
        families = rounds_by_family(file.benchmarks)
        run.rules = [printable(rule) for rule in getattr(run, "rules", [])]
        for case in run.cases:
            checked(case, "case")
            for kind, things in (("subject", case.subjects), ("limit", case.limits)):
                for thing in things:
                    checked(thing, kind)
                    for temperature in TEMPERATURES:
                        series = getattr(thing, temperature, None)
                        setattr(thing, temperature, series and Rounds(families[series.family], int(series.calls), float(series.cores)))
        return run
    except (KeyError, TypeError, AttributeError, OverflowError) as problem:
        raise ValueError(f"not a run of certile-bench, or malformed: {problem}") from None


def read_run(path: str) -> Any:
    try:
        with open(path, "rb") as file:
            return run_from_json(file.read())
    except OSError as problem:
        raise RunError(f"cannot read {path}: {problem.strerror}") from None
    except ValueError as problem:
        raise RunError(f"{path}: {problem}") from None


def subject_of(case: Any, name: str) -> Any:
    return next((subject for subject in case.subjects if subject.name == name), None)


def subjects_of(run: Any) -> list[str]:
    """Returns the names of all, in the order of their first appearance."""
    return list(dict.fromkeys(subject.name for case in run.cases for subject in case.subjects))


def fair_threads(case: Any, cores: float) -> int:
    """Returns the thread count whose limits are fair to a subject that kept that many cores busy."""
    several = {limit.threads for limit in case.limits if limit.threads > 1}
    if cores < MORE_THAN_ONE_CORE or not several:
        return 1
    return min(several, key=lambda threads: (abs(cores - threads), threads))


def share_of(case: Any, probes: tuple[str, ...], temperature: str, rounds: Rounds, threads: int, factor: float = 1) -> Share | None:
    """Returns the share of the fastest of these limits; None if none was measured."""
    measured = [(limit, series) for limit in case.limits
                if limit.probe in probes and limit.threads == threads and (series := getattr(limit, temperature))]
    if not measured:
        return None
    limit, series = min(measured, key=lambda each: each[1].median)
    return Share(limit, [factor * least / time for least, time in zip(series.times, rounds.times)],
                 factor * min(series.times) / min(rounds.times))


def writing_share(run: Any, case: Any, subject: Any, temperature: str = "hot", threads: int | None = None) -> Share | None:
    """Returns the share of the limit of writing: with a fair number of threads, or with `threads`. That of a tiny output is a call.
    Bytes that are read count if the input does not fit in the level 2 cache."""
    rounds = getattr(subject, temperature)
    if rounds is None:
        return None
    reads = case.input_bytes if 0 < run.machine.level2_bytes < case.input_bytes else 0
    moved = (case.output_bytes + reads) / case.output_bytes if case.output_bytes else 1
    threads = threads or fair_threads(case, rounds.cores)
    return share_of(case, CALLING, temperature, rounds, threads, moved) or share_of(case, WRITING, temperature, rounds, threads, moved)


def shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + "…"


def three_digits(value: float) -> str:
    """Writes three significant digits, without an exponent."""
    return f"{value:.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f}" if math.isfinite(value) else "-"


def size_text(size: int) -> str:
    if size < 1024:
        return f"{size} B"
    return f"{three_digits(size / 1024)} KiB" if size < 1048576 / 8 else f"{three_digits(size / 1048576)} MiB"


def limit_text(limit: Any) -> str:
    return limit.probe if limit.threads == 1 else f"{limit.probe}, {limit.threads} threads"
