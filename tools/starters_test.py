#!/usr/bin/env python3
"""Writes the starter of a language, then builds and certifies it with certile's build and with an installation, as new users would.

    starters_test.py BUILD LANGUAGE       BUILD is the build, as a clone has it, whose certile is also installed

The starter must pass its claim with the build, and some cases of it with the installation; after a change that makes its kernel
wrong, it must fail with a violated clause. Exit codes: 0 it does, 1 it does not, 77 the language's compiler is missing.
"""
import argparse
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from run_document import blocks, job_commands

SKIPPED = 77
NUMPY = Path(__file__).resolve().parents[1] / "build/environments/numpy/bin/python3"  # ./dev test makes it


@dataclass
class Starter:
    kernel: str  # the file with the kernel
    right: str  # a part of it
    wrong: str  # what replaces the part to make the kernel wrong, in few cases, because each failure is asked again
    test: str  # the file that certifies it
    tier: str  # a part of it
    some: str  # what replaces the part to ask some cases of the tier
    needs: tuple = ()  # programs


CTEST = ("TIER smoke", "TIER smoke OPTIONS --budget 1000")
STARTERS = {
    "c": Starter("example.c", "memcpy(to, begin, block);", "memcpy(to, begin, block == 12 ? 11 : block);",
                 "CMakeLists.txt", *CTEST, ("cmake", "cc")),
    "cpp": Starter("tile.cpp", "std::copy(tiled.begin(), tiled.end(), out);",
                   "std::copy(tiled.begin(), tiled.end() - (tiled.size() == 12), out);",
                   "CMakeLists.txt", *CTEST, ("cmake", "c++")),
    "rust": Starter("src/kernel.rs", "copy_from_slice(&data[..width])",
                    "copy_from_slice(&data[..width]); out[0] ^= u8::from(width == 16)",
                    "tests/certified.rs", '"smoke"]', '"smoke", "--budget", "1000"]', ("cargo", "rustc")),
    "python": Starter("tile.py", "return np.tile(data, repetitions)", "return np.tile(data[..., ::-1], repetitions)",
                      "test_tile.py", 'tier="smoke"', 'tier="smoke", arguments=["--budget", "1000"]', ("NumPy",)),
}


def has_numpy(python):
    return subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False).returncode == 0


def found(need):
    """Returns the path of a program, or of a Python that has NumPy; None if there is none."""
    if need != "NumPy":
        return shutil.which(need)
    return next((str(python) for python in (NUMPY, Path(sys.executable)) if python.is_file() and has_numpy(python)), None)


def check(folder, environment):
    """Runs check.sh. Returns its exit code and everything that it printed."""
    done = subprocess.run(["sh", "check.sh"], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return done.returncode, done.stdout


def wrong_files(folder):
    """Returns what the files of the starter lack; None if they lack nothing."""
    job = (folder / ".github/workflows/certile.yml").read_text(encoding="utf-8")
    if job_commands(job) != ["sh check.sh"]:
        return f"its CI does not run check.sh, but {job_commands(job)}"
    shown = [block.text for block in blocks((folder / "README.md").read_text(encoding="utf-8")) if block.language == "sh"]
    if shown != ["sh check.sh\n"]:
        return f"its README does not show check.sh, but {shown}"
    return None


def replace(file, part, other):
    """Replaces a part of a file. Returns what is wrong if there is no such part, else None."""
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(part, other), encoding="utf-8")
    return None if part in text else f"{file.name} lacks {part}"


def wrong_runs(folder, starter, in_clone, environment):
    """Returns what is wrong with the runs of the starter, as it is and with a wrong kernel; None if nothing is."""
    for each in (in_clone, environment):
        code, printed = check(folder, each)
        print(printed)
        if code != 0:
            return f"exit code {code}"
        shutil.rmtree(folder / "build", ignore_errors=True)
        if each is in_clone and (lacks := replace(folder / starter.test, starter.tier, starter.some)):
            return lacks
    if lacks := replace(folder / starter.kernel, starter.right, starter.wrong):
        return lacks
    code, printed = check(folder, environment)
    if code == 0 or "NOT CONFORMANT" not in printed:
        return f"exit code {code} of a wrong kernel:\n{printed}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("language", choices=STARTERS)
    given = parser.parse_args()
    starter = STARTERS[given.language]
    programs = {need: found(need) for need in starter.needs}
    missing = [need for need, path in programs.items() if path is None]
    if missing:
        print("not tested: there is no", " and no ".join(missing))
        return SKIPPED
    place = given.build.resolve() / "starters" / given.language
    shutil.rmtree(place, ignore_errors=True)
    prefix, folder = place / "prefix", place / "mine"
    subprocess.run(["cmake", "--install", given.build, "--prefix", prefix], stdout=subprocess.DEVNULL, check=True)
    folders = [*(str(Path(path).parent) for path in programs.values()), os.environ["PATH"]]
    in_clone, environment = (os.environ | {"PATH": ":".join([str(bin), *folders])}
                             for bin in (given.build.resolve() / "bin", prefix / "bin"))
    subprocess.run(["certile", "new", given.language, folder], env=environment, check=True)
    finding = wrong_files(folder) or wrong_runs(folder, starter, in_clone, environment)
    print(finding or "as it should be")
    return 1 if finding else 0


if __name__ == "__main__":
    sys.exit(main())
