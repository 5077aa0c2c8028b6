"""guard.py NOW BEFORE [--ignore FIELD]... [--times]

Says whether two build folders judge the same implementations in the same words: their records of the tier smoke, byte for byte but for
header and footer. --ignore leaves out a field that a change adds. --times prints what runs cost against the build before: ratios of
processor time, the median of three interleaved pairs. Exit code 1 if a record differs.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

WORKER = "worker:python3 ../../backends/worker/example.py"
JUDGED = ["scalar", "lib/libexample.so", WORKER, "mutants/M01.so", "mutants/M56.so", "hostile/H01.so", "hostile/H11.so"]
TIMED = {
    "smoke of simd": ["certify", "simd", "--tier", "smoke"],
    "smoke of a Python worker": ["certify", WORKER, "--tier", "smoke"],
    "core of simd": ["certify", "simd", "--tier", "core"],
}


def seconds(build: Path, words: list[str]) -> float:
    """Returns the processor time of a command, its processes included."""
    with open(os.devnull, "wb") as nothing:
        ran = subprocess.Popen(["bin/certile", *words], cwd=build, stdout=nothing, stderr=nothing)
        used = os.wait4(ran.pid, 0)[2]
    return used.ru_utime + used.ru_stime


def records(build: Path, spelling: str, ignored: list[str]) -> dict[str, str]:
    """Returns the records of a smoke run by their cases, without header, footer and ignored fields."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "records.jsonl"
        words = ["bin/certile", "certify", spelling, "--tier", "smoke", "--records", str(file)]
        subprocess.run(words, cwd=build, capture_output=True, check=False)
        lines = file.read_text(encoding="utf-8").splitlines()[1:-1] if file.exists() else []
    found = {}
    for line in lines:
        fields = json.loads(line)
        kept = {name: value for name, value in fields.items() if name not in ignored}
        found[fields["case"]] = json.dumps(kept) if ignored else line
    return found


def says_the_same(now: Path, before: Path, spelling: str, ignored: list[str]) -> bool:
    """Prints whether the two builds have the same records of an implementation."""
    mine, theirs = records(now, spelling, ignored), records(before, spelling, ignored)
    differing = [case for case in mine if case in theirs and mine[case] != theirs[case]]
    print(f"{spelling}: {len(mine):,} records, {len(differing):,} differ, {len(theirs.keys() - mine):,} are missing,"
          f" {len(mine.keys() - theirs):,} are new", flush=True)
    for case in differing[:1]:
        print(f"  now    {mine[case]}\n  before {theirs[case]}")
    return bool(mine) and mine == theirs


def main() -> int:
    parser = argparse.ArgumentParser(prog="guard.py")
    parser.add_argument("now", type=Path)
    parser.add_argument("before", type=Path)
    parser.add_argument("--ignore", action="append", default=[])
    parser.add_argument("--times", action="store_true")
    options = parser.parse_args()
    same = [says_the_same(options.now, options.before, spelling, options.ignore) for spelling in JUDGED]
    for name, words in TIMED.items() if options.times else ():
        pairs = [(seconds(options.now, words), seconds(options.before, words)) for _ in range(3)]
        ratio = statistics.median(mine / theirs for mine, theirs in pairs)
        print(f"{name}: {ratio:.2f} of the processor time before", *(f"{mine:.1f}/{theirs:.1f} s" for mine, theirs in pairs), flush=True)
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
