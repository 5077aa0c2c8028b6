"""The goals, and how they are computed from a run."""
import re
from collections.abc import Callable
from dataclasses import dataclass

from run_file import Case, Rounds, Run, Subject
from shares import Share, copying_share, fair_threads, writing_share
from timings import compare_paired, geometric_mean

KIBIBYTE, MEBIBYTE = 1024, 1048576
# The backends that the goals are about: `simd` picks the best kernel of the processor, `openmp` runs it in several threads.
ONE_THREAD, MANY_THREADS, TINY_EXAMPLE = "simd", "openmp", "f32[2,3,4] x i64{1,2,3}"


@dataclass(frozen=True)
class Figure:
    """A ratio, by medians and by best samples."""
    median: float
    best: float


def repeated_axes(literal: str) -> int:
    """Counts the axes that a tiling repeats, once neighbours that are one axis are joined."""
    found = re.match(r"\S+ \w+\[([\d,]*)\](?:\{.*?\})? x \w+\[?[\d,]*\]?\{([\d,]*)\}", literal)
    if not found:
        return 0
    data, repeats = ([int(number) for number in part.split(",") if number] for part in found.groups())
    if " along " in literal:  # onnx-tile-1: one axis
        return int(repeats != [1])
    rank, count, inside_is_repeated = max(len(data), len(repeats)), 0, False
    axes = zip([1] * (rank - len(data)) + data, [1] * (rank - len(repeats)) + repeats)
    for length, times in reversed(list(axes)):
        if (length, times) != (1, 1):
            count += times != 1 and not (inside_is_repeated and length == 1)
            inside_is_repeated = times != 1
    return count


def is_plugin(subject: Subject) -> bool:
    return "/" in subject.name


def is_ours(subject: Subject) -> bool:
    name = subject.name
    return name.startswith(ONE_THREAD) or name in (MANY_THREADS, "scalar") or (is_plugin(subject) and ONE_THREAD in name)


def figure_of(share: Share | None) -> Figure | None:
    return Figure(share.median, share.best) if share else None


def of_the_limit(applies: Callable[[Case], bool]) -> Callable[[Run, Case], Figure | None]:
    """Returns the share of one thread's limit, of the cases that this applies to."""
    def figure(run: Run, case: Case) -> Figure | None:
        subject = case.subject(ONE_THREAD)
        return figure_of(writing_share(run, case, subject, threads=1)) if subject and applies(case) else None
    return figure


def is_large(case: Case) -> bool:
    return case.output_bytes >= 64 * MEBIBYTE


def is_medium(case: Case, from_small_source: bool) -> bool:
    return MEBIBYTE < case.output_bytes <= 24 * MEBIBYTE and (case.input_bytes <= 16 * KIBIBYTE) == from_small_source


def large_in_threads(run: Run, case: Case) -> Figure | None:
    subject = case.subject(MANY_THREADS)
    if not is_large(case) or not subject or not subject.hot:
        return None
    threads = fair_threads(case, max(2, subject.hot.cores))  # a subject that kept one core busy is compared with two
    return figure_of(writing_share(run, case, subject, threads=threads)) if threads > 1 else None


def larger_source(run: Run, case: Case) -> Figure | None:
    subject = case.subject(ONE_THREAD)
    return figure_of(copying_share(case, subject)) if subject and is_medium(case, from_small_source=False) else None


def speed_against(ours: Rounds, others: Rounds) -> Figure:
    return Figure(compare_paired(ours.times, others.times).ratio, min(others.times) / min(ours.times))


def against_frameworks(run: Run, case: Case) -> Figure | None:
    ours = case.subject(ONE_THREAD)
    others = [subject.hot for subject in case.subjects if subject.hot and not is_ours(subject)]
    return speed_against(ours.hot, min(others, key=lambda rounds: rounds.median)) if ours and ours.hot and others else None


def against_memset(case: Case, subject: Subject | None) -> Figure | None:
    """Returns the time of the subject over that of memset."""
    memset = next((limit.hot for limit in case.limits if limit.probe == "memset" and limit.threads == 1 and limit.hot), None)
    if not subject or not subject.hot or not memset or not case.literal.endswith(TINY_EXAMPLE):
        return None
    speed = speed_against(subject.hot, memset)
    return Figure(1 / speed.median, 1 / speed.best)


def tiny_direct(run: Run, case: Case) -> Figure | None:
    return against_memset(case, case.subject(ONE_THREAD))


def tiny_through_the_table(run: Run, case: Case) -> Figure | None:
    return against_memset(case, next((subject for subject in case.subjects if is_plugin(subject) and is_ours(subject)), None))


@dataclass(frozen=True)
class Goal:
    name: str
    aim: str                # a sentence
    threshold: float        # of every case; 0: none
    # The figure of a case; None if the goal does not cover it, or it was not measured.
    figure: Callable[[Run, Case], Figure | None]
    mean: float = 0         # of the geometric mean; 0: none
    at_most: bool = False   # the threshold is an upper bound, not a lower one

    def meets(self, figure: Figure) -> bool:
        return figure.median <= self.threshold if self.at_most else figure.median >= self.threshold


ALL_GOALS = [
    Goal("G1", "Outputs of 64 MiB and more, one thread: 0.90 of the limit in every case, 0.95 in the geometric mean; bytes read count "
         "where the input exceeds the level 2 cache", 0.90, of_the_limit(is_large), mean=0.95),
    Goal("G2", "The same outputs, several threads (`openmp`): 0.85 of the limit of as many threads", 0.85, large_in_threads),
    Goal("G3", "Outputs of 4 KiB to 1 MiB whose innermost run has 256 bytes or more: 0.90 of the limit", 0.90,
         of_the_limit(lambda case: 4 * KIBIBYTE <= case.output_bytes <= MEBIBYTE and case.innermost_bytes >= 256)),
    Goal("G4", "Outputs up to 1 MiB, one repeated axis, a period of 1 to 64 bytes: 0.80 of the limit", 0.80,
         of_the_limit(lambda case: case.output_bytes <= MEBIBYTE and 1 <= case.innermost_bytes <= 64 and
                      repeated_axes(case.literal) == 1)),
    Goal("G5", "Outputs up to 1 MiB with several repeated axes: 0.70 of the limit", 0.70,
         of_the_limit(lambda case: case.output_bytes <= MEBIBYTE and repeated_axes(case.literal) > 1)),
    Goal("G6, small source", "Outputs of 1 to 24 MiB, hot, from at most 16 KiB: 0.85 of the limit", 0.85,
         of_the_limit(lambda case: is_medium(case, from_small_source=True))),
    Goal("G6, larger source", "Outputs of 1 to 24 MiB, hot, from more than 16 KiB: 0.95 of the faster copy of the same footprint", 0.95,
         larger_source),
    Goal("G7", "All cases: 4 times the speed of each case's fastest framework, in the geometric mean", 0, against_frameworks, mean=4),
    Goal("G8", "All cases: none slower than its fastest framework", 1, against_frameworks),
    Goal("G9, direct call", "`f32[2,3,4] x i64{1,2,3}`: at most 2.5 times the time of memset of the same 576 bytes", 2.5, tiny_direct,
         at_most=True),
    Goal("G9, plugin", "The same through the plugin table: at most 3.5 times", 3.5, tiny_through_the_table, at_most=True),
]


@dataclass
class Result:
    """The result of a run for a goal, with the cases."""
    goal: Goal
    cases: list[tuple[Case, Figure]]  # the one furthest from the goal first

    @property
    def met(self) -> int:
        return sum(self.goal.meets(figure) for _, figure in self.cases)

    @property
    def mean(self) -> Figure:
        figures = [figure for _, figure in self.cases]
        return Figure(geometric_mean([figure.median for figure in figures]), geometric_mean([figure.best for figure in figures]))

    @property
    def falls_short(self) -> bool:
        return bool((self.goal.threshold and self.met < len(self.cases)) or (self.goal.mean and self.mean.median < self.goal.mean))


def result_of(goal: Goal, run: Run) -> Result:
    figures = [(case, figure) for case in run.cases if (figure := goal.figure(run, case))]
    return Result(goal, sorted(figures, key=lambda each: each[1].median * (-1 if goal.at_most else 1)))
