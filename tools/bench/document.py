"""The text of docs/performance.md: the goals, the results of runs, and where they fall short."""
import os
import re
from dataclasses import replace
from pathlib import Path

from goals import ALL_GOALS, Figure, Result, result_of
from run_file import Run, RunError, read_run
from words import counted, machine_text, markdown_text, printable, shortened, size_text, three_digits

MOST_SHOWN = 12  # cases that fall short of a goal, in one run

PATHS = """## Why each path exists

The last column is what is left of the kernel's speed without the path: geometric means over random shapes, for outputs to 4 KiB, to 64 \
KiB, to 1 MiB and larger, then the worst shape. The numbers in brackets are those of the decisions in
[adr](adr/) that say how this was measured, and on what; a path that leaves 0.99 is there for the shapes that would lose most.

| path | why | without it |
|---|---|---|
| plan | a tiling is reduced to byte runs and levels before anything moves, so element types and ranks cost nothing later; nothing is \
allocated, so that a tiny call stays one | 0.55 to 4 KiB, with the first climb (0027) |
| climb | the byte of the data for each place follows level by level, without writing any level: a block of several levels is one load \
and a shuffle for each of its vectors | 0.69, 0.68, 0.87; 0.02 (0040) |
| joined blocks | blocks that leave vectors half empty are written several at a time, and repeats of a block as many as fill vectors | \
neighbours 1.00, 0.97, 0.98, 0.98; 0.30; repeats 1.00, 1.00, 0.97, 1.00; 0.62 (0031) |
| climb in registers | outputs up to 8 KiB do not wait for indices that were stored a moment before (AVX-512 VBMI) | 0.79 of tiny outputs \
(0031) |
| held blocks | up to eight vectors stay in registers while they are stored as often as the block is repeated | 0.99; 0.50 (0030) |
| shuffled fill | a period that a shuffle holds is turned in registers, in four chains, and stored aligned | one chain: 0.92, 0.91, 0.90; \
0.28 (0040) |
| pattern in the first-level cache | an odd period of some vectors is written out there once, if it pays until it recurs after whole \
vectors, so that neither loads nor stores cross lines | 0.95, 0.88, 0.90; 0.11; whole vectors 0.99; 0.67 (0040) |
| passes | blocks that are repeated often outside are made once in cache, level by level: a block that is read right after it was written \
waits for its stores | 1.01, 0.88, 0.92; 0.08 (0040) |
| aligned stores, unaligned loads | a store that crosses a cache line costs more than a load that does | part of the two fills |
| streaming stores | beyond the caches an ordinary store reads the line that it overwrites; within them streaming is several times \
slower, hence a threshold from the sizes of the caches, lower where the source is large, and never above 24 MiB for one thread | 0.51 \
from 32 to 90 MiB; 0.14 (0040) |
| pieces to all places | a long period that is streamed is made once, a piece at a time in the first-level cache, for all of its places; \
a short one is kept | 0.93 and 0.94 of streamed outputs; 0.38 (0038) |
| whole lines | a line that is written half by one kind of stores and half by the other costs as much as a full miss | part of streaming |
| large sources | a source larger than half of the level 2 cache is read once, a piece at a time, and written to every place it repeats \
in | 0.89 from 32 to 90 MiB; 0.43 (0040) |
| packed types | rows that begin and end on bytes take the byte kernel; few elements in several levels are tiled as bytes and packed; \
others are multiplied in a register, up to 56 bits at once, or shifted 32 bytes at a time; once the copies written are whole bytes, after \
eight at most, the byte kernel repeats them | tiled as bytes: 0.79, 0.86, 0.92, 0.96; 0.07 (0031); copies 0.99, 0.73; 0.02 (0038); 32 \
bytes 1.01, 0.99, 0.99; 0.67 (0040) |
| threads | the output is cut at pages, one range a thread below 8 MiB and eight above; a thread that is late leaves its range to the \
others; small outputs stay with one | two threads 1.6 to 1.8 times as fast (0030) |
"""


def read_runs(paths: list[str]) -> list[list[Run]]:
    """Reads runs. NAME-1.json, NAME-2.json … are of the processes that timed one suite; a suite that was timed with other backends too
    is distinguished by the later NAME."""
    suites: dict[str, list[Run]] = {}
    for path in paths:
        suites.setdefault(re.sub(r"-\d+$", "", Path(path).stem), []).append(read_run(path))
    named: list[list[Run]] = []
    for name, processes in suites.items():
        is_known = processes[0].suite in {others[0].suite for others in named}
        named.append([replace(run, suite=f"{run.suite}, {name}") for run in processes] if is_known else processes)
    return named


def read_counts(path: str) -> list[tuple[str, float, str]]:
    """Reads the output of `certile-bench count`: backend, instructions, literal."""
    counts = []
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    except (OSError, UnicodeDecodeError) as problem:
        raise RunError(f"cannot read {path}: {problem}") from None
    for line in lines:
        try:
            backend, instructions, literal = line.split(maxsplit=2)
            counts.append((backend, float(instructions), literal))
        except ValueError:
            raise RunError(f"{path}: not a line of counts (BACKEND INSTRUCTIONS LITERAL): {line}") from None
    return counts


def two_figures(figure: Figure) -> str:
    return " / ".join(f"{each:.2f}" if each < 10 else three_digits(each) for each in (figure.median, figure.best))


def runs_text(suites: list[list[Run]]) -> str:
    here = os.getcwd() + "/"  # readers do not need the folder of the files
    text = ""
    for processes in suites:
        first, command = processes[0], printable(processes[0].command.replace(here, ""))
        text += (f"- **{markdown_text(first.suite)}**, {counted(len(first.cases), 'case')}, timed by {counted(len(processes), 'run')} "
                 f"from {first.date} on: `{command}`\n")
    return text + f"\n{machine_text(suites[0][0].machine)}\n"


def goal_table(suites: list[list[Run]]) -> str:
    rows = ["| goal | run | cases | reach it | furthest from it | geometric mean | |", "|---|---|---|---|---|---|---|"]
    for goal in ALL_GOALS:
        results = [(processes[0].suite, result) for processes in suites if (result := result_of(goal, processes)).cases]
        for suite, result in results:
            met = str(result.met) if goal.threshold else ""
            rows.append(f"| {goal.name} | {markdown_text(suite)} | {len(result.cases)} | {met} | {two_figures(result.cases[0][1])} | "
                        f"{two_figures(result.mean)} | {'**falls short**' if result.falls_short else 'reached'} |")
        if not results:
            rows.append(f"| {goal.name} | | 0 | | | | not measured |")
    return "\n".join(rows + [""] + [f"- **{goal.name}**: {goal.aim}." for goal in ALL_GOALS]) + "\n"


def short_cases(suite: str, result: Result) -> str:
    """Lists the cases of a suite that miss the goal, the worst first."""
    short = len(result.cases) - result.met if result.goal.threshold else 0
    if short == 0:
        return ""
    text = (f"\n**{result.goal.name}**, {markdown_text(suite)}: {short} of {len(result.cases)}\n\n"
            "| case | regime | written | reached |\n|---|---|---|---|\n")
    for case, figure in result.cases[:min(short, MOST_SHOWN)]:
        text += (f"| `{shortened(case.literal, 100)}` | {markdown_text(case.regime)} | {size_text(case.output_bytes)} | "
                 f"{two_figures(figure)} |\n")
    return text + (f"\n… and {short - MOST_SHOWN} more, less far away\n" if short > MOST_SHOWN else "")


# The most instructions that a call may take (N1i); the test InstructionsOfTinyCalls holds the kernel to nearly the same.
MOST_INSTRUCTIONS = {("rules", "f32[2,3,4] x i64{1,2,3}"): 170, ("simd", "f32[2,3,4] x i64{1,2,3}"): 500,
                     ("simd", "f32[1] x i64{2}"): 220, ("simd", "u8[1,2,1,3,1,2,1,3] x i64{2,1,2,1,3,1,2,1}"): 700}


def counts_text(counts: list[tuple[str, float, str]]) -> str:
    if not counts:
        return ""
    rows = "".join(f"| `{shortened(literal, 100)}` | {markdown_text(backend)} | {number:.0f} | "
                   f"{MOST_INSTRUCTIONS.get((backend, literal.partition(' ')[2]), '')} |\n" for backend, number, literal in counts)
    return ("\n## Instructions of a tiny call\n\n"
            "Those of the table's `run`, counted one by one on this processor (`certile-bench count`), so that no neighbour moves them. "
            "A string instruction counts once; `rules` checks and plans the call and moves nothing.\n\n"
            "| case | implementation | instructions of one call | N1i: at most |\n|---|---|---|---|\n" + rows)


def rules_text(run: Run) -> str:
    """Returns the rules, which are the same for all runs except for the numbers in the first one."""
    return ("\n## How the figures are taken\n\nOnly ratios within one run are stated, and of each case the median over the processes that "
            "timed it; gigabytes a second belong to a machine and an hour. In each cell: by medians / by best samples.\n\n" +
            "".join(f"- {markdown_text(rule)}\n" for rule in run.rules))


def performance_document(suites: list[list[Run]], counts: list[tuple[str, float, str]]) -> str:
    return ("# Performance\n\nWhat is aimed at, what was reached, and where it falls short. `./dev bench --document` measures and writes "
            "this page; nothing in it is typed by hand.\n\n" + runs_text(suites) +
            "\n![Share of the limit over the size of the output](performance.svg)\n\n## Goals\n\n" + goal_table(suites) +
            "\nOurs are `simd`, the best kernel of the processor, and `openmp`, the same in several threads. Frameworks are all that is "
            "neither those, nor one of the kernels by its name, nor `scalar`; a case's fastest is meant.\n\n## Where it falls short\n" +
            "".join(short_cases(processes[0].suite, result_of(goal, processes)) for goal in ALL_GOALS for processes in suites) +
            counts_text(counts) + "\n" + PATHS + rules_text(suites[0][0]))
