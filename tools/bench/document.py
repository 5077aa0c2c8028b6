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

What is left of the kernel's speed without a path: geometric means over random shapes for outputs to 4 KiB, to 64 KiB, to 1 MiB and \
larger, then the worst shape. A mean of 0.99 means that few shapes gain; the worst one is why the path
stays. Each figure is that of a [decision](adr/), which says what is done instead. 0030 and 0031 measured on Zen 4, 0038 and 0040 \
by AVX2 on a processor of AMD without AVX-512; 0038 also has figures by VBMI on a processor of Intel. \
What the goals are without AVX-512: 0042. Plan: of 0027, the kernel before \
against
the one after, on Zen 4. Threads (`openmp`) take one range each below 8 MiB, cut at pages, and eight above (one of packed \
elements that are copied, 0042), so that a thread that is late \
leaves its range to the others: 1.6 to 1.8 times the speed of one from 1.5 to 12 MiB (0030), and N8 above; small outputs stay with one.

| path | why | 4 KiB | 64 KiB | 1 MiB | larger | worst | decision |
|---|---|---|---|---|---|---|---|
| plan | A tiling is reduced to byte runs and levels before anything moves, so element types and ranks cost nothing later; nothing is \
allocated, so that a tiny call stays one. | 0.55 |  |  |  |  | 0027, with the climb |
| climb | Shuffle indices are computed from the inner level outwards, and nothing is written to find them: a block of several levels is \
one load and a shuffle for each of its vectors. | 0.69 | 0.68 | 0.87 |  | 0.02 | 0040 |
| climb in registers | Outputs up to 8 KiB do not wait for indices that were stored a moment before (AVX-512 VBMI alone). | 0.79 |  |  |  \
|  | 0031 |
| joined neighbours | Blocks that leave vectors half empty are written several at a time. | 1.00 | 0.97 | 0.98 | 0.98 | 0.30 | 0031 |
| joined repeats | Several repeats of one block are written together, until whole vectors are full. | 1.00 | 1.00 | 0.97 | 1.00 | 0.62 | \
0031 |
| held blocks | Up to eight vectors stay in registers while they are stored as often as the block is repeated. |  |  |  | 0.99 | 0.50 | \
0030, all sizes |
| held copies of five to eight vectors | SSE4 gains 7 %, because its vectors are short. | 1.01 | 0.99 | 1.01 |  | 0.76 | 0031 |
| four chains of a fill | A period that a shuffle holds is turned in registers, and stored aligned; a shuffle takes longer than a store, \
so four are under way. | 0.92 | 0.91 | 0.90 |  | 0.28 | 0040 |
| pattern in the first-level cache | A longer period, up to 1 KiB, is copied into a buffer once, so that no load needs a seam. | 0.95 | \
0.88 | 0.90 |  | 0.11 | 0040 |
| its extension to whole vectors | For fills of 6 KiB and more, so that loads cross no line either; nearly twice the speed of single \
shapes with AVX-512. | 0.99 | 0.99 | 1.00 |  | 0.67 | 0040 |
| passes | A block that outer levels repeat at least 8 times, or twice if it is not shuffled, is made in a buffer in the first-level \
cache, level by level: a block that is read right after it was written waits for its stores. | 1.01 | 0.88 | 0.92 |  | 0.08 | 0040 |
| one pass instead | Where little is repeated outside, blocks are made as often as they are needed. | 1.00 | 0.99 | 0.99 | 0.99 | 0.60 | \
0031 |
| four vectors at a time in a copy | Loads and stores of several vectors overlap. | 0.99 | 0.96 | 0.95 |  | 0.47 | 0038 |
| the C library's copy | From 24 KiB on; it pays on Zen 5. | 1.00 | 1.00 | 1.00 | 1.00 | 0.91 | 0031 |
| streaming stores | An ordinary store reads the line that it overwrites. The threshold is three quarters of the last cache, of which no \
more than 32 MiB count, less for a large source: within the caches streaming takes up to 1.3 times as long. A line is written by one kind \
of stores only, because mixing both costs a full miss. |  |  |  | 0.51 | 0.14 | 0040, 32 to 90 MiB |
| pieces to all places | A long period that is streamed is made once, a piece at a time in the first-level cache, for all of its places. \
One thread alone. |  |  |  | 0.93 | 0.47 | 0038, streamed from 1 MiB on |
| kept periods | A short period that is streamed is made once. |  |  |  | 0.94 | 0.38 | 0038, streamed from 1 MiB on |
| large sources | A source larger than half of the level 2 cache is read once, a piece at a time, and written to every place it repeats \
in. One thread alone. |  |  |  | 0.89 | 0.43 | 0040, 32 to 90 MiB |
| packed elements in bytes | Few elements in several levels are tiled as bytes and packed. | 0.79 | 0.86 | 0.92 | 0.96 | 0.07 | 0031 |
| copies of short runs of bits | What is written already is copied whole, instead of multiplied in a register, up to 56 bits at once. | \
1.00 | 0.75 |  |  | 0.06 | 0038 |
| copies of long runs of bits | At most eight repeats end on a byte; from there the byte kernel repeats them. | 0.99 | 0.73 |  |  | 0.02 \
| 0038 |
| words that are all the same | Single elements of 1, 2 or 4 bits are stored as words. | 0.99 | 0.95 |  |  | 0.33 | 0038 |
| shifting by 32 bytes | Runs that begin within a byte are shifted that much at a time. | 1.01 | 0.99 | 0.99 |  | 0.67 | 0040 |
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
            "this page; no figure of a run is typed by hand.\n\n" + runs_text(suites) +
            "\n![Share of the limit over the size of the output](performance.svg)\n\n## Goals\n\n" + goal_table(suites) +
            "\nOurs are `simd`, the best kernel of the processor, and `openmp`, the same in several threads. Frameworks are all others "
            "but the kernels by their names (`simd-avx2`) and `scalar`; of each case the fastest is meant.\n\n## Where it falls short\n" +
            "".join(short_cases(processes[0].suite, result_of(goal, processes)) for goal in ALL_GOALS for processes in suites) +
            counts_text(counts) + "\n" + PATHS + rules_text(suites[0][0]))
