"""The goals, and how they are computed from a run."""
import re
from collections.abc import Callable
from dataclasses import dataclass

from run_file import Case, Rounds, Run, Subject
from shares import Share, copying_share, writing_share
from timings import compare_paired, geometric_mean, median

KIBIBYTE, MEBIBYTE = 1024, 1048576
# The backends that the goals are about: `simd` picks the best kernel of the processor, `openmp` runs it in several threads.
ONE_THREAD, MANY_THREADS = "simd", "openmp"


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
    """Tells whether it is a library: under its path, or under the name that the kernel's plugin gives itself."""
    return "/" in subject.name or subject.name == f"{ONE_THREAD}-plugin"


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


def is_packed(case: Case) -> bool:
    """Tells whether elements are narrower than a byte."""
    return re.match(r"\S+ (?:[iu][1-7]|nf4|f4e2m1)\[", case.literal) is not None


def between(case: Case, least: int, most: int) -> bool:
    return least < case.output_bytes <= most


def from_small_source(case: Case) -> bool:
    return case.input_bytes <= 16 * KIBIBYTE


def inverted(figure: Figure | None) -> Figure | None:
    return Figure(1 / figure.median, 1 / figure.best) if figure else None


def tiny(run: Run, case: Case) -> Figure | None:
    """Returns the time over that of a call that is ruled and planned, and fills the output."""
    whole = case.output_bytes <= 4 * KIBIBYTE and not is_packed(case)
    return inverted(of_the_limit(lambda _: whole)(run, case))


def through_the_table(run: Run, case: Case) -> Figure | None:
    """Returns the time of the plugin over that of the same kernel in the program."""
    ours, plugin = case.subject(ONE_THREAD), next((subject for subject in case.subjects if is_plugin(subject) and is_ours(subject)), None)
    return speed_against(plugin.hot, ours.hot, inverse=True) if ours and ours.hot and plugin and plugin.hot else None


def of_the_copy(applies: Callable[[Case], bool]) -> Callable[[Run, Case], Figure | None]:
    """Returns the share of the fastest copy of the same footprint, of the cases that this applies to."""
    def figure(_: Run, case: Case) -> Figure | None:
        subject = case.subject(ONE_THREAD)
        return figure_of(copying_share(case, subject)) if subject and applies(case) else None
    return figure


def packed(least: int, most: int) -> Callable[[Run, Case], Figure | None]:
    return of_the_limit(lambda case: between(case, least, most) and is_packed(case) and repeated_axes(case.literal) > 0)


def speed_against(ours: Rounds, others: Rounds, inverse: bool = False) -> Figure:
    ratio, best = compare_paired(ours.times, others.times).ratio, min(others.times) / min(ours.times)
    return Figure(1 / ratio, 1 / best) if inverse else Figure(ratio, best)


def against_frameworks(run: Run, case: Case) -> Figure | None:
    ours = case.subject(ONE_THREAD)
    others = [subject.hot for subject in case.subjects if subject.hot and not is_ours(subject)]
    return speed_against(ours.hot, min(others, key=lambda rounds: rounds.median)) if ours and ours.hot and others else None


def against_one_thread(run: Run, case: Case) -> Figure | None:
    """Returns the speed of several threads against that of one, by the best samples alone: a neighbour takes a core from both."""
    one, many = case.subject(ONE_THREAD), case.subject(MANY_THREADS)
    if not (one and one.hot and many and many.hot and between(case, MEBIBYTE, 16 * MEBIBYTE)):
        return None
    best = min(one.hot.times) / min(many.hot.times)
    return Figure(best, best)


@dataclass(frozen=True)
class Goal:
    name: str
    aim: str                # a sentence
    threshold: float        # of every case; 0: none
    # The figure of a case; None if the goal does not cover it, or it was not measured.
    figure: Callable[[Run, Case], Figure | None]
    mean: float = 0         # of the geometric mean; 0: none
    at_most: bool = False   # both are upper bounds, not lower ones

    def meets(self, figure: Figure) -> bool:
        return figure.median <= self.threshold if self.at_most else figure.median >= self.threshold

    def mean_falls_short(self, mean: Figure) -> bool:
        return bool(self.mean) and (mean.median > self.mean if self.at_most else mean.median < self.mean)


ALL_GOALS = [
    Goal("N1", "Outputs up to 4 KiB: at most 2.0 times the time of a call that is ruled and planned, and fills the output, in the "
         "geometric mean; 3 in each case", 3, tiny, mean=2, at_most=True),
    Goal("N1, plugin", "The same kernel as a plugin: at most 1.1 times the time, in the geometric mean", 0, through_the_table, mean=1.1,
         at_most=True),
    Goal("N2", "4 to 64 KiB: 0.50 of the limit in the geometric mean, 0.20 in each case", 0.2,
         of_the_limit(lambda case: between(case, 4 * KIBIBYTE, 64 * KIBIBYTE) and not is_packed(case)), mean=0.5),
    Goal("N3, one axis", "64 KiB to 1 MiB, one repeated axis: 0.85 of the copy in the geometric mean", 0,
         of_the_copy(lambda case: between(case, 64 * KIBIBYTE, MEBIBYTE) and not is_packed(case) and
                     repeated_axes(case.literal) == 1), mean=0.85),
    Goal("N3, several axes", "The same with several: 0.70 of the copy", 0,
         of_the_copy(lambda case: between(case, 64 * KIBIBYTE, MEBIBYTE) and not is_packed(case) and
                     repeated_axes(case.literal) > 1), mean=0.7),
    Goal("N4, small source", "1 to 24 MiB from at most 16 KiB: 0.85 of the limit in the geometric mean, 0.65 in each case", 0.65,
         of_the_limit(lambda case: between(case, MEBIBYTE, 24 * MEBIBYTE) and not is_packed(case) and from_small_source(case)),
         mean=0.85),
    Goal("N4, larger source", "The same from more than 16 KiB: 0.95 of the copy in the geometric mean", 0,
         of_the_copy(lambda case: between(case, MEBIBYTE, 24 * MEBIBYTE) and not is_packed(case) and not from_small_source(case)),
         mean=0.95),
    Goal("N5", "More than 24 MiB, from a source that the level 2 cache holds: 0.97 of the limit in the geometric mean, 0.92 in each case",
         0.92, lambda run, case: of_the_limit(lambda case: case.output_bytes > 24 * MEBIBYTE and
                                              case.input_bytes <= run.machine.level2_bytes)(run, case), mean=0.97),
    Goal("N5, larger source", "The same from a source that the level 3 cache does not hold, whose bytes count as well: 1.0 of the limit", 0,
         lambda run, case: of_the_limit(lambda case: case.output_bytes > 24 * MEBIBYTE and
                                        case.input_bytes > run.machine.level3_bytes)(run, case), mean=1),
    Goal("N6, to 64 KiB", "Packed types, up to 64 KiB: 0.25 of the limit in the geometric mean", 0, packed(0, 64 * KIBIBYTE), mean=0.25),
    Goal("N6, to 1 MiB", "Packed types, 64 KiB to 1 MiB: 0.45", 0, packed(64 * KIBIBYTE, MEBIBYTE), mean=0.45),
    Goal("N6, to 24 MiB", "Packed types, 1 to 24 MiB: 0.65", 0, packed(MEBIBYTE, 24 * MEBIBYTE), mean=0.65),
    Goal("N7", "All cases: 3.6 times the speed of each case's fastest framework in the geometric mean, 1.1 in each case", 1.1,
         against_frameworks, mean=3.6),
    Goal("N8", "Several threads (`openmp`), 1 to 16 MiB, best samples: 1.6 times the speed of one in the geometric mean, never slower", 1,
         against_one_thread, mean=1.6),
]


@dataclass
class Result:
    """The result of the processes that timed a suite for a goal, with the cases."""
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
        return bool(self.goal.threshold and self.met < len(self.cases)) or self.goal.mean_falls_short(self.mean)


def result_of(goal: Goal, processes: list[Run]) -> Result:
    """Returns the result with each case's median over the processes that timed it."""
    found: dict[str, tuple[Case, list[Figure]]] = {}
    for run in processes:
        for case in run.cases:
            if figure := goal.figure(run, case):
                found.setdefault(case.literal, (case, []))[1].append(figure)
    figures = [(case, Figure(median([each.median for each in several]), median([each.best for each in several])))
               for case, several in found.values()]
    return Result(goal, sorted(figures, key=lambda each: each[1].median * (-1 if goal.at_most else 1)))
