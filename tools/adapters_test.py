#!/usr/bin/env python3
"""Certifies real runtimes as `./dev certify NAME` does, and compares the clauses that fail with those that are known to.

    adapters_test.py CERTILE ROOT NAME      exit code 77 where the runtime's environment was not made: skipped

The tier is smoke; core where CERTILE_WHOLE is set, as `./dev test --full` does, and NAME has clauses that only core finds.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# What each runtime is known to do otherwise; docs/findings has the reasons.
KNOWN = {
    "numpy": {"OV-T1-T2", "OV-T1-X3", "OV-T1-X4", "OV-T1-X5", "OV-T1-X9", "OV-T1-X12"},
    "onnxruntime": {"CT-BITS", "ONNX-T6-X6", "ONNX-T13-X2", "ONNX-T13-X6"},
}
KNOWN_IN_CORE = {"numpy": {"CT-REFUSE", "OV-T1-G2", "OV-T1-R1", "OV-T1-R2", "OV-T1-X13"}}


def main(program, root, name):
    is_core = bool(os.environ.get("CERTILE_WHOLE")) and name in KNOWN_IN_CORE
    known = KNOWN[name] | (KNOWN_IN_CORE[name] if is_core else set())
    folder = Path(root, "build", "environments", name)
    if not (folder / "installed").is_file():
        print(f"skipped: ./dev certify {name} would make {folder}")
        return 77
    adapter = next(line.split()[3:] for line in Path(root, "backends/worker/adapters/adapters.txt").read_text("utf-8").splitlines()
                   if line.split()[:2] == ["adapter", name])
    worker = " ".join([str(folder / "bin/python"), str(Path(root, "backends/worker/adapters", adapter[0])), *adapter[1:]])
    with tempfile.TemporaryDirectory() as scratch:
        records = Path(scratch, "records.jsonl")
        # Some of NumPy's calls fill all memory that they may before they refuse; one that it answers needs more than one gigabyte.
        words = [program, "certify", "worker:" + worker, "--records", records, "--time-limit", "60", "--memory-limit", "2048",
                 "--tier", "core" if is_core else "smoke"]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, env=os.environ | {"NO_COLOR": "1"}, capture_output=True, text=True,
                              check=False)
        lines = [json.loads(line) for line in records.read_text("utf-8").splitlines()] if records.exists() else []
    print(done.stdout[-2000:], done.stderr[-2000:])
    # The last finding: the judge's, or an amendment; both call the clause so.
    judged = [{"clause": each.get("violated"), **each, **(each.get("amended") or [{}])[-1]} for each in lines if "verdict" in each]
    violated = {each["clause"] for each in judged if each["verdict"] == "fail"}
    unfinished = [each["case"] for each in judged if each["verdict"] == "not-run"]
    passed = sum(each["verdict"] == "pass" for each in judged)
    problems = []
    if done.returncode != (1 if known else 0):
        problems.append(f"exit code {done.returncode}")
    if violated - known:
        problems.append("clauses that used to hold: " + " ".join(sorted(violated - known)))
    if known - violated:
        problems.append("clauses that hold by now, so take them out of KNOWN: " + " ".join(sorted(known - violated)))
    if unfinished:
        problems.append(f"not run: {unfinished[0]} and {len(unfinished) - 1} more")
    if passed < 1000:
        problems.append(f"only {passed} cases passed")
    print("\n".join(problems) or f"{name}: as known, {passed} cases pass")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
