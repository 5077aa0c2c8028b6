#!/usr/bin/env python3
"""Prints the lines and branches that the tests reach, folder by folder, and what they leave out.

    coverage_report.py FILE        FILE is gcovr's JSON
"""
import json
import sys
from pathlib import PurePath

LOW = 90  # per cent of a file's lines: below it the file is listed


class Tally:
    def __init__(self):
        self.lines = self.reached_lines = self.branches = self.reached_branches = 0

    def add(self, line):
        self.lines += 1
        self.reached_lines += line["count"] > 0
        self.branches += len(line["branches"])
        self.reached_branches += sum(branch["count"] > 0 for branch in line["branches"])

    def merge(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def words(self):
        return (f"{share(self.reached_lines, self.lines):>7} {self.reached_lines:>6} of {self.lines:<6}"
                f"{share(self.reached_branches, self.branches):>7} {self.reached_branches:>6} of {self.branches}")


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def tally_of(file):
    tally = Tally()
    for line in file["lines"]:
        if not line.get("gcovr/noncode", False):
            tally.add(line)
    return tally


def unreached_functions(file):
    """Returns the functions that no process entered, once per line, where a template or lambda may occur several times."""
    entered: dict = {}
    for function in file.get("functions", []):
        place = function["lineno"]
        count, name = entered.get(place, (0, function["name"]))
        entered[place] = (count + function["execution_count"], name)
    return [(place, name) for place, (count, name) in sorted(entered.items()) if count == 0]


def report(files):
    folders: dict[str, Tally] = {}
    whole = Tally()
    tallies = {file["file"]: tally_of(file) for file in files}
    for path, tally in tallies.items():
        folder = PurePath(path).parent.as_posix()
        folders.setdefault(folder, Tally()).merge(tally)
        whole.merge(tally)
    yield f"{'folder':<28}{'lines':>7}{'':<17}{'branches':>7}"
    for folder, tally in sorted(folders.items()):
        yield f"{folder:<28}{tally.words()}"
    yield f"{'all':<28}{whole.words()}"
    yield ""
    yield f"files of which less than {LOW} % of the lines are reached"
    for path, tally in sorted(tallies.items()):
        if tally.lines and 100 * tally.reached_lines < LOW * tally.lines:
            yield f"  {path:<44}{tally.words()}"
    yield ""
    yield "functions that nothing enters"
    for file in sorted(files, key=lambda each: each["file"]):
        for place, name in unreached_functions(file):
            yield f"  {file['file']}:{place}: {name}"


def main(path):
    with open(path, encoding="utf-8") as file:
        print("\n".join(report(json.load(file)["files"])))


if __name__ == "__main__":
    main(sys.argv[1])
