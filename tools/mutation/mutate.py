#!/usr/bin/env python3
"""Changes a source in small ways, one after the other, and prints the changes that no test notices.

    mutate.py CERTILE ROOT [FILE...] [--share N]

FILE is below ROOT: a plugin in C, judged by CERTILE, or one of certile's own that subjects.py knows; without any, all files that are kept
free of survivors.  --share N: only N mutations of each file, spread over it.  Exit code 1 if a mutation survives that
equivalents.txt does not explain, or if that file explains one that does not survive; 2 for a wrong command line.
"""
import argparse
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from equivalents import Equivalents
from mutations import mutations_of
from subjects import subject_of

# Every survivor of these is explained.
KEPT = ["backends/plugin/example.c", "reference/oracle/promote.cpp", "reference/values/packed.cpp", "reference/oracle/tile.cpp",
        "reference/second/tile_by_copies.cpp", "conformance/judge/judge.cpp"]


def spread(mutations, share):
    if not share or share >= len(mutations):
        return mutations
    return [mutations[index * len(mutations) // share] for index in range(share)]


def examine(root, certile, file, share, equivalents):
    """Returns true if every survivor of the file is explained, and every explanation needed."""
    start = time.monotonic()
    text = Path(root, file).read_text(encoding="utf-8")
    counts: Counter[str] = Counter()
    good = True
    with tempfile.TemporaryDirectory() as scratch:
        subject = subject_of(root, certile, file, scratch)
        try:
            for mutation in spread(mutations_of(text), share):
                end = subject.judge() if subject.compiles(mutation.text) else "not compiling"
                if end == "survived":
                    reason = equivalents.reason(file, mutation)
                    end = "equivalent" if reason else "survived"
                    if not reason:
                        good = False
                        print(f"{file}:{mutation.line}: survived\n- {mutation.before}\n+ {mutation.after}", flush=True)
                counts[end] += 1
        finally:
            if hasattr(subject, "close"):
                subject.close()
    for entry in [] if share else equivalents.unused(file):
        good = False
        print(f"{file}: equivalents.txt explains what does not survive: {entry}")
    ends = "   ".join(f"{counts[end]} {end}" for end in ("killed", "timed out", "equivalent", "survived", "not compiling"))
    print(f"{file}: {sum(counts.values())} mutations: {ends}   {time.monotonic() - start:.0f} s", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("certile")
    parser.add_argument("root")
    parser.add_argument("files", nargs="*", default=KEPT)
    parser.add_argument("--share", type=int, default=0)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # child processes end as well, and sources are restored
    missing = [file for file in options.files if not Path(options.root, file).is_file()]
    if missing:
        print(f"mutate.py: there is no {missing[0]}", file=sys.stderr)
        return 2
    equivalents = Equivalents(Path(__file__).with_name("equivalents.txt"))
    good = [examine(options.root, options.certile, file, options.share, equivalents) for file in options.files]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
