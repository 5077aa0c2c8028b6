#!/usr/bin/env python3
"""Writes the figures of docs/performance.md: what runs reached of the goals, and where they fall short.
    performance.py DOCUMENT COUNTS RUN.json...      COUNTS is what `certile-bench count` printed

What is between `<!-- NAME -->` and `<!-- end -->` is written again, and every other line stays. NAME-1.json, NAME-2.json … are of
the processes that timed one suite; a suite that was timed with other backends too is distinguished by the later NAME."""
import os
import re
import sys
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any, NamedTuple, cast

from compare import compare_paired
from run_file import COPYING, fair_threads, read_run, share_of, shortened, size_text, subject_of, three_digits, writing_share

KIB, MIB, ANY, LESS_IS_BETTER = 1024, 1048576, float("inf"), ("call", "plugin")
# The most instructions that a call may take (N1i); the test InstructionsOfTinyCalls holds the kernel to nearly the same.
MOST_INSTRUCTIONS = {("rules", "f32[2,3,4] x i64{1,2,3}"): 170, ("simd", "f32[2,3,4] x i64{1,2,3}"): 500,
                     ("simd", "f32[1] x i64{2}"): 220, ("simd", "u8[1,2,1,3,1,2,1,3] x i64{2,1,2,1,3,1,2,1}"): 700}


class Goal(NamedTuple):
    name: str
    threshold: float  # of every case; 0: none
    mean: float       # of the geometric mean
    kind: str         # of the figure
    above: float      # it covers outputs of more bytes than this, up to the next
    up_to: float
    packed: bool | None = False  # elements narrower than a byte; None: both
    covers: Any = lambda run, case: True

    def meets(self, figure: float, bound: float) -> bool:
        return not bound or (figure <= bound if self.kind in LESS_IS_BETTER else figure >= bound)


GOALS = [
    Goal("N1", 3, 2, "call", -1, 4 * KIB),
    Goal("N1, plugin", 0, 1.1, "plugin", -1, ANY, None),
    Goal("N2", 0.2, 0.5, "limit", 4 * KIB, 64 * KIB),
    Goal("N3, one axis", 0, 0.85, "copy", 64 * KIB, MIB, covers=lambda run, case: repeated_axes(case.literal) == 1),
    Goal("N3, several axes", 0, 0.7, "copy", 64 * KIB, MIB, covers=lambda run, case: repeated_axes(case.literal) > 1),
    Goal("N4, small source", 0.65, 0.85, "limit", MIB, 24 * MIB, covers=lambda run, case: case.input_bytes <= 16 * KIB),
    Goal("N4, larger source", 0, 0.95, "copy", MIB, 24 * MIB, covers=lambda run, case: case.input_bytes > 16 * KIB),
    Goal("N5", 0.92, 0.97, "limit", 24 * MIB, ANY, None, lambda run, case: case.input_bytes <= run.machine.level2_bytes),
    Goal("N5, larger source", 0, 1, "limit", 24 * MIB, ANY, None, lambda run, case: case.input_bytes > run.machine.level3_bytes),
    Goal("N6, to 64 KiB", 0, 0.25, "limit", 0, 64 * KIB, True, lambda run, case: repeated_axes(case.literal) > 0),
    Goal("N6, to 1 MiB", 0, 0.45, "limit", 64 * KIB, MIB, True, lambda run, case: repeated_axes(case.literal) > 0),
    Goal("N6, to 24 MiB", 0, 0.65, "limit", MIB, 24 * MIB, True, lambda run, case: repeated_axes(case.literal) > 0),
    Goal("N7", 1.1, 3.6, "frameworks", -1, ANY, None),
    Goal("N8", 1, 1.6, "threads", MIB, 16 * MIB, None),
]


def repeated_axes(literal: str) -> int:
    """Counts the axes that a tiling repeats, once neighbours that are one axis are joined."""
    found = re.match(r"\S+ \w+\[([\d,]*)\](?:\{.*?\})? x \w+\[?[\d,]*\]?\{([\d,]*)\}", literal)
    data, repeats = ([int(number) for number in part.split(",") if number] for part in (found.groups() if found else ("", "")))
    if " along " in literal:  # onnx-tile-1: one axis
        return int(repeats != [1])
    rank, count, inside_is_repeated = max(len(data), len(repeats)), 0, False
    for length, times in reversed(list(zip([1] * (rank - len(data)) + data, [1] * (rank - len(repeats)) + repeats))):
        if (length, times) != (1, 1):
            count += times != 1 and not (inside_is_repeated and length == 1)
            inside_is_repeated = times != 1
    return count


def figure_of(goal: Goal, run: Any, case: Any) -> tuple[float, float] | None:
    """Returns what a goal is about, by medians and by best samples, if it covers the case and was measured."""
    packed, simd = re.match(r"\S+ (?:[iu][1-7]|nf4|f4e2m1)\[", case.literal) is not None, subject_of(case, "simd")
    is_covered = goal.above < case.output_bytes <= goal.up_to and goal.packed in (None, packed) and goal.covers(run, case)
    if not (is_covered and simd and simd.hot):
        return None
    if goal.kind in ("call", "limit", "copy"):
        share = (share_of(case, COPYING, "hot", simd.hot, fair_threads(case, simd.hot.cores)) if goal.kind == "copy"
                 else writing_share(run, case, simd, threads=1))
        power = -1 if goal.kind == "call" else 1
        return (share.median**power, share.best**power) if share else None
    timed = [subject for subject in case.subjects if subject.hot]
    plugins = [subject for subject in timed if "simd" in subject.name and ("/" in subject.name or subject.name == "simd-plugin")]
    frameworks = [subject for subject in timed if subject not in plugins and not re.match("simd|openmp$|scalar$", subject.name)]
    other = {"plugin": next(iter(plugins), None), "threads": next((subject for subject in timed if subject.name == "openmp"), None),
             "frameworks": min(frameworks, key=lambda subject: subject.hot.median, default=None)}[goal.kind]
    if not other:
        return None
    ours, theirs = (other.hot.times, simd.hot.times) if goal.kind == "threads" else (simd.hot.times, other.hot.times)
    best = min(theirs) / min(ours)
    return (best if goal.kind == "threads" else compare_paired(ours, theirs).ratio), best


def table(head: str, rows: list[list[Any]]) -> str:
    cells = [[" / ".join(map(three_digits, cell)) if isinstance(cell, tuple) else str(cell) for cell in row] for row in rows]
    return "\n".join([head, "|" + "---|" * (head.count("|") - 1), *("| " + " | ".join(row) + " |" for row in cells)]) + "\n"


def goals_text(suites: dict[str, list[Any]]) -> tuple[str, str]:
    """Returns the table of the goals, and the cases that miss one, the worst first. A case has the median of all processes."""
    rows, short = cast(list[list[Any]], []), ""
    for goal in GOALS:
        for suite, processes in suites.items():
            found: dict[str, tuple[Any, list[tuple[float, float]]]] = {}
            for run in processes:
                for case in run.cases:
                    if figure := figure_of(goal, run, case):
                        found.setdefault(case.literal, (case, []))[1].append(figure)
            cases = sorted(((case, (median(each[0] for each in all), median(each[1] for each in all))) for case, all in found.values()),
                           key=lambda each: each[1][0], reverse=goal.kind in LESS_IS_BETTER)
            if not cases:
                continue
            misses = [each for each in cases if not goal.meets(each[1][0], goal.threshold)]
            mean = geometric_mean([each[0] for _, each in cases]), geometric_mean([each[1] for _, each in cases])
            rows.append([goal.name, suite, len(cases), len(cases) - len(misses) if goal.threshold else "", cases[0][1], mean,
                         "reached" if not misses and goal.meets(mean[0], goal.mean) else "**falls short**"])
            if misses:
                short += f"**{goal.name}**, {suite}: {len(misses)} of {len(cases)}\n\n" + table(
                    "| case | regime | written | reached |", [
                        [f"`{shortened(case.literal, 100)}`", case.regime, size_text(case.output_bytes), figure]
                        for case, figure in misses[:12]]) + "\n"
        if not rows or rows[-1][0] != goal.name:
            rows.append([goal.name, "", 0, "", "", "", "not measured"])
    return table("| goal | run | cases | reach it | furthest from it | geometric mean | |", rows), short


def figures(counts: str, paths: list[str]) -> dict[str, str]:
    processes, suites = cast(list[dict[str, list[Any]]], [{}, {}])
    for path in paths:
        processes.setdefault(re.sub(r"-\d+$", "", Path(path).stem), []).append(read_run(path))
    for name, runs in processes.items():
        suites[f"{runs[0].suite}, {name}" if runs[0].suite in suites else runs[0].suite] = runs
    first, here = next(iter(suites.values()))[0], os.getcwd() + "/"  # readers do not need the folder of the files
    lines = [line.split(maxsplit=2) for line in counts.splitlines() if line.strip() and not line.startswith("#")]
    goals, short = goals_text(suites)
    return {"runs": "".join(f"- **{suite}**, {len(runs[0].cases)} cases, timed by {len(runs)} runs from {runs[0].date} on: "
                            f"`{runs[0].command.replace(here, '')}`\n" for suite, runs in suites.items()) +
                    "\n" + "; ".join(f"{name}: {value}" for name, value in vars(first.machine).items() if value) + "\n",
            "goals": goals, "short": short, "rules": "".join(f"- {rule}\n" for rule in first.rules),
            "instructions": table("| case | implementation | instructions of one call | N1i: at most |", [
                [f"`{case}`", backend, f"{float(count):.0f}", MOST_INSTRUCTIONS.get((backend, case.partition(' ')[2]), "")]
                for backend, count, case in lines])}


def written(document: str, parts: dict[str, str]) -> str:
    return re.sub(r"<!-- (\w+) -->\n.*?<!-- end -->", lambda found: f"<!-- {found[1]} -->\n\n{parts[found[1]].strip()}\n\n<!-- end -->",
                  document, flags=re.DOTALL)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.write_text(written(target.read_text("utf-8"), figures(Path(sys.argv[2]).read_text("utf-8"), sys.argv[3:])), encoding="utf-8")
