#!/usr/bin/env python3
"""Pictures and judgements of the runs of certile-bench.

  python3 FOLDER run PROGRAM [ARGUMENT...] [OUTPUT...]   time with certile-bench, then do what the OUTPUTs say
  python3 FOLDER report RUN.json OUTPUT...               do it with a file that --json wrote earlier
  python3 FOLDER compare OLD.json NEW.json               print what changed; 1 if something became slower
  python3 FOLDER goals RUN.json... [--instructions FILE] write docs/performance.md to standard output

FOLDER is this file's folder. Exit codes are those of certile-bench."""
import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from action import action_json
from compare import Options
from document import performance_document, read_counts, read_runs
from gate import CannotDecide, has_regression, is_broken
from run_file import Run, RunError, read_run

BAD_COMMAND, OWN_FAILURE, INTERRUPTED = 2, 3, 130
GRAVE_FIRST = (INTERRUPTED, OWN_FAILURE, 4, 1, 5, 0)  # the order of graver() in conformance/text/terminal.hpp


def share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 10:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 10")
    return value


def series(text: str) -> int:
    value = int(text)
    if value < 2:
        raise argparse.ArgumentTypeError(f"{text} is less than 2")
    return value


def picture_path(text: str) -> str:
    if not text.endswith((".svg", ".html", ".png", ".pdf")):
        raise argparse.ArgumentTypeError(f"{text} does not end in .svg, .html, .png or .pdf")
    import picture  # noqa: F401  # fails early: only pictures need matplotlib
    return text


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--noise", type=share, default=0.05, metavar="SHARE", help="no smaller change counts (0.05)")
    parser.add_argument("--by-time", action="store_true", help="decide by time instead of by the share of each run's own limit")


def add_outputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--picture", type=picture_path, metavar="FILE",
                        help="draw shares of the reference, by case or over the size: .svg, .html, .png or .pdf")
    parser.add_argument("--series", type=series, default=4, metavar="NUMBER", help="number of backends in the picture, at most (4)")
    parser.add_argument("--action", metavar="FILE", help="write shares of the limit for github-action-benchmark")
    parser.add_argument("--gate", metavar="RULE", action="append", default=[],
                        help="fail (1) where something is slower: than the run in a FILE, or than the `baseline` (or only "
                             "`baseline:NAME` than it); may be repeated")
    add_options(parser)


def options_of(given: argparse.Namespace) -> Options:
    return Options(noise=given.noise, by_time=given.by_time)


def report(run: Run, given: argparse.Namespace) -> int:
    """Writes the files and applies the gates."""
    if given.action:
        with open(given.action, "w", encoding="utf-8") as file:
            file.write(action_json(run))
    if given.picture:
        from picture import write_picture
        write_picture(given.picture, run, given.series)
    broken = [is_broken(run, rule, options_of(given)) for rule in given.gate]
    return int(any(broken))


def measure(given: argparse.Namespace, arguments: list[str]) -> int:
    """Runs certile-bench, which handles interrupts itself, then reports on its file."""
    with tempfile.TemporaryDirectory(prefix="certile-bench-") as folder:
        path = given.json or os.path.join(folder, "run.json")
        signal.signal(signal.SIGINT, lambda *_: None)
        code = subprocess.call([given.program, *arguments, "--json", path])
        if code in (BAD_COMMAND, OWN_FAILURE) or code < 0:
            return code if code >= 0 else 128 - code
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        return min(code, report(read_run(path), given), key=GRAVE_FIRST.index)


def command_line(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="certile-bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage="python3 FOLDER run|report|compare|goals ...")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", add_help=False, allow_abbrev=False, help="time, then report")
    run.add_argument("program", metavar="PROGRAM")
    run.add_argument("--json", metavar="FILE")
    add_outputs(run)
    stored = commands.add_parser("report", help="report on a run")
    stored.add_argument("run", metavar="RUN.json")
    add_outputs(stored)
    compare = commands.add_parser("compare", help="compare two runs")
    compare.add_argument("old", metavar="OLD.json")
    compare.add_argument("new", metavar="NEW.json")
    add_options(compare)
    goals = commands.add_parser("goals", help="write docs/performance.md")
    goals.add_argument("runs", metavar="RUN.json", nargs="+")
    goals.add_argument("--instructions", metavar="FILE", help="what `certile-bench count` printed")

    given, rest = parser.parse_known_args(words)
    if given.command == "run":
        return measure(given, rest)
    if rest:
        parser.error(f"unknown: {' '.join(rest)}")
    if given.command == "report":
        return report(read_run(given.run), given)
    if given.command == "compare":
        return int(has_regression(read_run(given.old), read_run(given.new), options_of(given)))
    sys.stdout.write(performance_document(read_runs(given.runs), read_counts(given.instructions) if given.instructions else []))
    return 0


def main() -> int:
    try:
        code = command_line(sys.argv[1:])
        sys.stdout.flush()
        return code
    except ModuleNotFoundError as problem:
        print(f"certile-bench: a picture needs {problem.name}; on Debian: apt-get install python3-matplotlib", file=sys.stderr)
        return OWN_FAILURE
    except (RunError, CannotDecide, OSError) as problem:
        print(f"certile-bench: {problem}", file=sys.stderr)
        return BAD_COMMAND


if __name__ == "__main__":
    sys.exit(main())
