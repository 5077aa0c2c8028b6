"""Shares of the machine's limit, which follow from a run's facts. bench/run/statistics.cpp computes the same for the table."""
from dataclasses import dataclass

from run_file import Case, Limit, Machine, Rounds, Run, Subject, rounds_of
from timings import median

MORE_THAN_ONE_CORE = 1.25
CALLING = ("call",)
WRITING = ("fill", "fill-non-temporal", "fill-string", "memset")
COPYING = ("copy", "copy-non-temporal", "copy-string", "memcpy")


@dataclass
class Share:
    """A share of a limit. Each round is compared with the limit's time of the same round."""
    limit: Limit
    rounds: list[float]
    best: float  # the best call against the limit's best call

    @property
    def median(self) -> float:
        return median(self.rounds)


def bytes_moved(case: Case, machine: Machine) -> int:
    """Counts the bytes written, and those read if the input does not fit in the level 2 cache."""
    return case.output_bytes + (case.input_bytes if 0 < machine.level2_bytes < case.input_bytes else 0)


def fair_threads(case: Case, cores: float) -> int:
    """Returns the thread count whose limits are fair to a subject that kept that many cores busy."""
    several = {limit.threads for limit in case.limits if limit.threads > 1}
    if cores < MORE_THAN_ONE_CORE or not several:
        return 1
    return min(several, key=lambda threads: (abs(cores - threads), threads))


def share_of(case: Case, probes: tuple[str, ...], temperature: str, rounds: Rounds, threads: int, factor: float = 1) -> Share | None:
    """Returns the share of the fastest of these limits; None if none was measured."""
    measured = [(limit, series) for limit in case.limits
                if limit.probe in probes and limit.threads == threads and (series := rounds_of(limit, temperature))]
    if not measured:
        return None
    limit, series = min(measured, key=lambda each: each[1].median)
    return Share(limit, [factor * least / time for least, time in zip(series.times, rounds.times)],
                 factor * min(series.times) / min(rounds.times))


def writing_share(run: Run, case: Case, subject: Subject, temperature: str = "hot", threads: int | None = None) -> Share | None:
    """Returns the share of the limit of writing: with a fair number of threads, or with `threads`. That of a tiny output is a call."""
    rounds = rounds_of(subject, temperature)
    if rounds is None:
        return None
    moved = bytes_moved(case, run.machine) / case.output_bytes if case.output_bytes else 1
    threads = threads or fair_threads(case, rounds.cores)
    return (share_of(case, CALLING, temperature, rounds, threads, moved) or share_of(case, WRITING, temperature, rounds, threads, moved))


def copying_share(case: Case, subject: Subject) -> Share | None:
    """Returns the share of the fastest copy of the same footprint, hot."""
    return share_of(case, COPYING, "hot", subject.hot, fair_threads(case, subject.hot.cores)) if subject.hot else None
