#!/usr/bin/env python3
"""Pictures and judgements of the runs of certile-bench.

  python3 FOLDER run PROGRAM [ARGUMENT...] [OUTPUT...]   time with certile-bench, then do what the OUTPUTs say
  python3 FOLDER report RUN.json OUTPUT...               do it with a file that --json wrote earlier
  python3 FOLDER compare OLD.json NEW.json               print what changed; 1 if something became slower

FOLDER is this file's folder. Exit codes are those of certile-bench."""
import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

from compare import action_json, has_regression, is_broken
from run_file import RunError, read_run

BAD_COMMAND, OWN_FAILURE, INTERRUPTED = 2, 3, 130
GRAVE_FIRST = (INTERRUPTED, OWN_FAILURE, 4, 1, 5, 0)  # the order of graver() in conformance/text/terminal.hpp


def between(kind: type, least: float, most: float) -> Any:
    def number(text: str) -> Any:
        if not least <= kind(text) <= most:
            raise argparse.ArgumentTypeError(f"{text} is not from {least} to {most}")
        return kind(text)
    return number


def picture_path(text: str) -> str:
    if not text.endswith((".svg", ".png", ".pdf")):
        raise argparse.ArgumentTypeError(f"{text} does not end in .svg, .png or .pdf")
    import picture  # noqa: F401  # fails early: only pictures need matplotlib
    return text


def add_options(parser: argparse.ArgumentParser, has_outputs: bool = True) -> None:
    parser.add_argument("--noise", type=between(float, 0, 10), default=0.05, metavar="SHARE", help="no smaller change counts (0.05)")
    parser.add_argument("--by-time", action="store_true", help="decide by time instead of by the share of each run's own limit")
    if not has_outputs:
        return
    parser.add_argument("--picture", type=picture_path, metavar="FILE", help="draw shares of the reference: .svg, .png or .pdf")
    parser.add_argument("--series", type=between(int, 2, 9), default=4, metavar="NUMBER", help="most backends in the picture (4)")
    parser.add_argument("--action", metavar="FILE", help="write shares of the limit for github-action-benchmark")
    parser.add_argument("--gate", metavar="RULE", action="append", default=[],
                        help="fail (1) where something is slower: than the run in a FILE, or than the `baseline` (or only "
                             "`baseline:NAME` than it); may be repeated")


def report(run: Any, given: argparse.Namespace) -> int:
    """Writes the files and applies the gates."""
    if given.action:
        with open(given.action, "w", encoding="utf-8") as file:
            file.write(action_json(run))
    if given.picture:
        from picture import write_picture
        write_picture(given.picture, run, given.series)
    return int(any([is_broken(run, rule, given) for rule in given.gate]))


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
                                     usage="python3 FOLDER run|report|compare ...")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, places in (("run", ["program"]), ("report", ["run"]), ("compare", ["old", "new"])):
        command = commands.add_parser(name, add_help=name != "run", allow_abbrev=False)
        for place in places:
            command.add_argument(place, metavar=place.upper() if name == "run" else f"{place.upper()}.json")
        add_options(command, has_outputs=name != "compare")
        if name == "run":
            command.add_argument("--json", metavar="FILE")
    given, rest = parser.parse_known_args(words)
    if given.command == "run":
        return measure(given, rest)
    if rest:
        parser.error(f"unknown: {' '.join(rest)}")
    if given.command == "report":
        return report(read_run(given.run), given)
    return int(has_regression(read_run(given.old), read_run(given.new), given))


if __name__ == "__main__":
    try:
        sys.exit(command_line(sys.argv[1:]))
    except ModuleNotFoundError as problem:
        print(f"certile-bench: a picture needs {problem.name}; on Debian: apt-get install python3-matplotlib", file=sys.stderr)
        sys.exit(OWN_FAILURE)
    except (RunError, OSError) as problem:
        print(f"certile-bench: {problem}", file=sys.stderr)
        sys.exit(BAD_COMMAND)
