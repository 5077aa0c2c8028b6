#!/usr/bin/env python3
"""Compares certile's oracles with NumPy, an implementation that shares nothing with them.

    third_oracle.py PROGRAM [--cases N] [--seed N] [--jobs N]

PROGRAM is certile-properties: it prints random cases, each with a digest of the answer of both oracles.  This script reads the
literals, fills the data and tiles it once more with NumPy, using ml_dtypes for the narrow types.  Where the texts of the operators
and NumPy differ on purpose, the difference must be one of KNOWN, and is counted.
Without --cases the number is CERTILE_THIRD_ORACLE_CASES in the environment, or else 10,000.
Exit codes: 0 no other disagreement, 1 some, 2 wrong command line, 77 NumPy or ml_dtypes is not installed.
"""
import argparse
import collections
import hashlib
import os
import random
import re
import struct
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

try:
    import ml_dtypes
    import numpy as np
    from numpy_fill import BITS, filled
except ImportError:
    np = None  # type: ignore[assignment]  # whether it could be imported

KNOWN = {
    "length": "NumPy puts ones in front of the shorter one of shape and repeats; ONNX refuses other lengths",
    "negative": "NumPy refuses a repeat below 0; OpenVINO takes it for 0, ONNX refuses it as well",
    "open": "the definition leaves the call open",
    "axis": "onnx-tile-1 has an axis, which NumPy's tile has not; one that the data lacks is refused",
}
OPERAND = r"([a-z0-9]+)(?:\[([\d,]*)\])?(?:\{([^}]*)\})?"
LITERAL = re.compile(rf"([a-z0-9-]+) ([a-z0-9]+)\[([\d,]*)\] x {OPERAND}(?: along {OPERAND})?"
                     r"(?: fill=(\w+)(?::(\d+))?)?(?: @(.*))?")
SKIPPED = 77


def numbers(text):
    return tuple(int(number) for number in text.split(",")) if text else ()


def numpy_type(type_name):
    """The type's name in NumPy or ml_dtypes; an unsigned type of its width if neither has it."""
    names = {"boolean": np.bool_, "f16": np.float16, "f32": np.float32, "f64": np.float64, "c64": np.complex64}
    narrow = {"bf16": "bfloat16", "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "f8e8m0": "float8_e8m0fnu",
              "f4e2m1": "float4_e2m1fn", "i4": "int4", "u4": "uint4", "u2": "uint2"}
    if type_name in narrow:
        return getattr(ml_dtypes, narrow[type_name], None)
    return names.get(type_name)


def tiled(type_name, data, repeats):
    if type_name == "c128":
        return np.tile(data.view(np.complex128).reshape(data.shape[:-1]), repeats)
    known = numpy_type(type_name)
    return np.tile(data if known is None else data.view(known), repeats)


def content(type_name, output):
    """The bytes that are digested."""
    flat = np.ascontiguousarray(output).reshape(-1)
    if type_name == "string":
        return b"".join(struct.pack("<Q", len(text)) + text for text in flat)
    width = BITS[type_name]
    if width >= 8:
        return flat.tobytes()
    bits = flat.view(np.uint8)[:, None] >> np.arange(width, dtype=np.uint8) & 1
    return np.packbits(bits.reshape(-1), bitorder="big" if type_name == "u1" else "little").tobytes()


class Case:
    def __init__(self, literal):
        found = LITERAL.fullmatch(literal)
        if not found:
            raise ValueError("the literal cannot be read")
        (self.operator, self.type, shape, _, _, repeats, _, _, axis, kind, seed, _) = found.groups()
        self.shape = numbers(shape)
        self.repeats = numbers(repeats)
        self.axis = int(axis) if axis else 0  # of onnx-tile-1, whose literals all have one
        self.kind = kind or "index"
        self.seed = int(seed or 0)

    def refusal(self):
        """Why the operator refuses the case: the end of a clause's id and the known difference; nothing if it answers."""
        rank = len(self.shape)
        if self.operator == "openvino-tile-1":
            return None
        if self.operator == "onnx-tile-1":
            if not -rank <= self.axis < rank:
                return "X5", "axis"
            return ("X4", "negative") if self.repeats[0] < 0 else None
        if self.operator == "array-api-tile":
            return ("X2", "negative") if self.has_negative_size() else None
        if len(self.repeats) != rank:
            return "I3", "length"
        return ("X3", "negative") if min(self.repeats, default=0) < 0 else None

    def has_negative_size(self):
        """Returns whether a repeat below 0 belongs to an axis that is not empty, each side with ones in front."""
        length = max(len(self.shape), len(self.repeats))
        sizes = (1,) * (length - len(self.shape)) + self.shape
        repeats = (1,) * (length - len(self.repeats)) + self.repeats
        return any(repeat < 0 < size for size, repeat in zip(sizes, repeats))

    def answer(self):
        """Type and shape, and the digest, by NumPy; and the known difference that was skipped, if any."""
        difference, repeats = None, self.repeats
        if self.operator == "onnx-tile-1":
            repeats = [1] * len(self.shape)
            repeats[self.axis] = self.repeats[0]
        elif min(repeats, default=0) < 0:
            difference, repeats = "negative", [max(repeat, 0) for repeat in repeats]
        output = tiled(self.type, filled(self.operator, self.type, self.shape, self.kind, self.seed), tuple(repeats))
        digest = hashlib.sha256(content(self.type, output)).hexdigest()
        return f"{self.type}[{','.join(map(str, output.shape))}]", digest, difference


def compare(literal, answer):
    """The known difference, if any; a sentence if the two disagree in another way."""
    case = Case(literal)
    words = answer.split(" ")
    refusal = case.refusal()
    if words[0] == "reject" or refusal:
        right = words[0] == "reject" and refusal and words[1].endswith("-" + refusal[0])
        return (refusal or [None, None])[1], None if right else f"expected {refusal or 'an answer'}"
    if words[0] == "unspecified":  # NumPy may do what it likes
        return "open", None
    shape, digest, difference = case.answer()
    if words[0] != shape:
        return difference, f"NumPy's answer is {shape}"
    same = len(words) == 1 or words[1] == digest
    return difference, None if same else "NumPy's elements are others"


def run_share(program, cases, seed):
    counts: collections.Counter[str] = collections.Counter()
    wrong: list[str] = []
    command = [program, "--print", str(cases), "--seed", str(seed), "--answers"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="ascii") as printing:
        assert printing.stdout
        for line in printing.stdout:
            literal, answer = line.rstrip("\n").split("\t")
            counts["refused" if answer.startswith("reject") else "cases"] += 1
            try:
                difference, sentence = compare(literal, answer)
            except (ValueError, TypeError, KeyError, IndexError) as problem:
                difference, sentence = None, f"{type(problem).__name__}: {problem}"
            if difference:
                counts[difference] += 1
            if sentence:
                wrong.append(f"{literal} => {answer}\n    {sentence}")
    if printing.returncode != 0 or sum(counts[word] for word in ("cases", "refused")) != cases:
        wrong.append(f"{' '.join(command)} ended with exit code {printing.returncode}, too early")
    return counts, wrong


def with_numpy():
    """Restarts with the Python of the private environment, which has the packages; never returns."""
    python = Path(__file__).resolve().parent.parent / "build/environments/numpy/bin/python"
    if python.exists() and Path(sys.prefix) != python.parent.parent:
        os.execv(python, [str(python), *sys.argv])
    print("skipped: NumPy and ml_dtypes are not installed; ./dev test installs them where there is a network")
    sys.exit(SKIPPED)


def main():
    parser = argparse.ArgumentParser(description="Compares certile's oracles with NumPy.")
    parser.add_argument("program", metavar="PROGRAM", help="certile-properties")
    parser.add_argument("--cases", type=int, default=int(os.environ.get("CERTILE_THIRD_ORACLE_CASES", "10000")))
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if np is None:
        with_numpy()
    seed = random.randrange(1 << 32) if options.seed is None else options.seed
    jobs = max(1, min(options.jobs, options.cases))
    shares = [options.cases // jobs + (job < options.cases % jobs) for job in range(jobs)]
    counts: collections.Counter[str] = collections.Counter()
    wrong: list[str] = []
    with ProcessPoolExecutor(jobs) as pool:
        running = [pool.submit(run_share, options.program, share, seed + job) for job, share in enumerate(shares)]
        for future in running:
            counts += future.result()[0]
            wrong += future.result()[1]
    for sentence in wrong[:20]:
        print(sentence)
    print(f"NumPy {np.__version__}, ml_dtypes {ml_dtypes.__version__}, seed {seed}: "
          f"{options.cases:,} cases, {counts['refused']:,} of them refused, {len(wrong):,} disagreements")
    for name, sentence in KNOWN.items():
        print(f"  known, {counts[name]:,} times: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
