#!/usr/bin/env python3
"""Kills a run of certile at random moments, goes on with it each time, and compares its records with those of a run that
was left alone.

    kill_and_resume.py CERTILE [--kills N] [--seed N] [-- OPTIONS OF certify...]      exit code 1 if the records differ

Every run of certify ends by a kill, until N were killed; then one more completes the records, and the next begins again.
"""
import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("certile")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    given = parser.parse_args(words[:end])
    certify = [given.certile, "certify", *(words[end + 1:] or ["scalar", "--tier", "smoke"]), "--quiet"]
    chance = random.Random(given.seed)
    with tempfile.TemporaryDirectory(prefix="certile-kills-") as name:
        whole, killed = Path(name, "whole.jsonl"), Path(name, "killed.jsonl")
        begin = time.monotonic()
        code = subprocess.run(
            [*certify, "--records", whole], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
        ).returncode
        seconds = time.monotonic() - begin
        kills = completed = kept = 0
        while kills < given.kills or completed == 0:
            run = subprocess.Popen(
                [*certify, "--resume", killed],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                if kills < given.kills:
                    run.wait(chance.uniform(0, seconds))
                else:
                    run.wait()
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                run.wait()
                kills += 1
                kept += killed.exists() and killed.stat().st_size > 0
                continue
            completed += 1
            if run.returncode != code or digest(killed) != digest(whole):
                print(f"after {kills} kills: exit code {run.returncode}, not {code}, or other records: {killed.stat().st_size} bytes, "
                      f"not {whole.stat().st_size}")
                return 1
            killed.unlink()
        print(f"{kills} kills, {kept} of them after the first record; {completed} runs were completed, each with the records of a "
              f"run that was left alone: sha256 {digest(whole)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
