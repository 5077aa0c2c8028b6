"""The judges of mutants: a plugin is judged by `certile certify`, a file of certile itself by its tests."""
import os
import resource
import shutil
import subprocess
import time
from pathlib import Path

MEMORY = 8 << 30  # bytes that a mutant may reserve


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, seconds, **options):
    """Returns the exit code; nothing if the command did not end in time."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True, **options) as started:
        try:
            return started.wait(timeout=seconds)
        except BaseException as stopped:  # a mutant may run for ever
            os.killpg(started.pid, 9)
            if isinstance(stopped, subprocess.TimeoutExpired):
                return None
            raise


class Plugin:
    """A C file that is a complete backend."""

    def __init__(self, root, certile, file, scratch):
        self.root, self.certile, self.file = Path(root), certile, file
        self.source, self.library = Path(scratch, "mutant.c"), Path(scratch, "mutant.so")
        if not self.compiles((self.root / file).read_text(encoding="utf-8")) or self.judge() != "survived":
            raise RuntimeError(f"{file} is not conformant before anything was changed")

    def compiles(self, text):
        self.source.write_text(text, encoding="utf-8")
        compiler = [os.environ.get("CC", "cc"), "-std=c99", "-O1", "-w", "-shared", "-fPIC"]
        return run([*compiler, f"-I{self.root / 'backends/plugin'}", self.source, "-o", self.library], 60) == 0

    def judge(self):
        """Returns "killed", "timed out" or "survived"."""
        for tier in ("smoke", "core"):
            code = run([self.certile, "certify", self.library, "--tier", tier, "--fail-fast", "--time-limit", "3"], 300)
            if code != 0:
                return "killed" if code is not None else "timed out"
        return "survived"


class Unit:
    """A file of certile: a copy of the tree is built with it, and its tests are run, the quick ones first."""

    def __init__(self, root, certile, file, scratch, tests, *names):
        del certile, scratch
        self.copy, self.build = Path(root, "build/mutate/source"), Path(root, "build/mutate/build")
        self.file, self.tests, self.names = file, tests, names
        self.refresh(Path(root))
        self.original = (self.copy / file).read_text(encoding="utf-8")
        if not self.builds():
            raise RuntimeError(f"{self.build} does not build: cmake --build {self.build} --target {tests}")
        started = time.monotonic()
        self.patience = 300.0
        if self.judge() != "survived":
            raise RuntimeError(f"{tests} --gtest_filter={':'.join(names)} fails before anything was changed")
        self.patience = 20 + 5 * (time.monotonic() - started)  # of a mutant that does not end

    def refresh(self, root):
        """Copies only changed files, so that only they are built again."""
        listing = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=True).stdout
        for name in filter(None, listing.decode().split("\0")):
            ours, theirs = root / name, self.copy / name
            if ours.is_file() and not (theirs.is_file() and ours.read_bytes() == theirs.read_bytes()):
                theirs.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ours, theirs)
        if not (self.build / "build.ninja").is_file():
            subprocess.run(["cmake", "-S", self.copy, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
                            "-DCMAKE_CXX_FLAGS=-O1 -w"], check=True, capture_output=True)

    def builds(self):
        return run(["cmake", "--build", self.build, "-j1", "--target", self.tests], 1800) == 0

    def compiles(self, text):
        (self.copy / self.file).write_text(text, encoding="utf-8")
        return self.builds()

    def judge(self):
        for names in self.names:
            code = run([self.build / "bin" / self.tests, f"--gtest_filter={names}", "--gtest_fail_fast", "--gtest_brief=1"],
                       self.patience, preexec_fn=limited)
            if code != 0:
                return "timed out" if code is None else "killed"
        return "survived"

    def close(self):
        (self.copy / self.file).write_text(self.original, encoding="utf-8")


QUICK = "Oracles.AgreeOnThe*:Oracles.Say*:Tile*:ShapeRules*:Packed*:Promote*"
SLOW = "Oracles.AgreeOnEveryAxis*:CaseLiteralProperty*"
REFERENCE = ("reference_tests", QUICK, f"*-{QUICK}:{SLOW}", SLOW)

# By file: the tests that must notice.  Other files are judged as plugins.
UNITS = {
    "reference/oracle/promote.cpp": REFERENCE,
    "reference/oracle/tile.cpp": REFERENCE,
    "reference/second/tile_by_copies.cpp": REFERENCE,
    "reference/values/packed.cpp": REFERENCE,
    "conformance/judge/judge.cpp": ("conformance_tests", "Judge*", "Trial*:RunPlan*:Mutant*"),
}


def subject_of(root, certile, file, scratch):
    if file in UNITS:
        return Unit(root, certile, file, scratch, *UNITS[file])
    return Plugin(root, certile, file, scratch)
