#!/usr/bin/env python3
"""Uses certile in what a common container is (in_container.sh), and reads what it says of its sandbox there.

    container_test.py BUILD     BUILD is a build folder

Exit codes: 0 all pass, 1 some do not, 77 this user or this machine cannot make one.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77
CASE = "onnx-tile-13 f32[2,3] x i64{2,2}"
# What a container refuses, and what it leaves on each kernel: words of the report.
REFUSED = ("user namespace", "mount namespace", "process namespace", "IPC namespace", "network namespace", "1024 processes")
LEFT = ("resource limits", "capabilities", "seccomp")
# Prints which of the restrictions a process sees.
SEEN = """
import ctypes, os
libc = ctypes.CDLL(None)
def is_refused(call):
    child = os.fork()
    if child == 0:
        os._exit(call() == -1)
    return os.waitpid(child, 0)[1] != 0
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
shared = os.statvfs("/dev/shm")
seen = {
    "users": is_refused(lambda: libc.unshare(0x10000000)),
    "calls": is_refused(lambda: libc.personality(0x40000)),
    "rights": not int(status["CapEff"], 16) & (1 << 21 | 1 << 19),
    "memory": shared.f_blocks * shared.f_frsize == 64 << 20,
    "topology": not os.listdir("/sys"),
    "processor": len(os.sched_getaffinity(0)) == 1,
    "processes": os.getppid() == 1,
}
print(*(name for name, is_seen in seen.items() if is_seen))
"""


def inside(*command, only=None):
    restrictions = ["--only", only] if only else []
    return subprocess.run([ROOT / "tools/install/in_container.sh", *restrictions, *command], capture_output=True, text=True,
                          check=False, stdin=subprocess.DEVNULL)


class Container(unittest.TestCase):
    build: Path

    def test_each_restriction_is_made_alone(self):
        probe = [sys.executable, "-c", SEEN]
        before = set(subprocess.run(probe, capture_output=True, text=True, check=True).stdout.split())
        names = ("users", "calls", "rights", "memory", "topology", "processor", "processes")
        for name in names:
            with self.subTest(name):
                made = {"users", "calls"} if name == "calls" else {name}
                self.assertEqual(set(inside(*probe, only=name).stdout.split()), before | made)
        self.assertEqual(set(inside(*probe).stdout.split()), set(names))

    def test_the_exit_code_is_that_of_the_command(self):
        self.assertEqual(inside("sh", "-c", "exit 7").returncode, 7)
        self.assertEqual(inside("true", only="nothing").returncode, 2)

    def certify(self, backend, *options):
        """Returns the exit code, and what the records say of the backend's isolation."""
        with tempfile.TemporaryDirectory() as folder:
            records = Path(folder) / "records.jsonl"
            done = inside(self.build / "bin/certile", "certify", backend, "--case", CASE, "--records", records, *options)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return json.loads(records.read_text(encoding="utf-8").splitlines()[0])["header"]["isolation"]

    def test_backends_are_certified_and_no_layer_that_is_refused_is_said_to_be_in_force(self):
        worker = f"worker:exec '{sys.executable}' '{ROOT}/backends/worker/example.py'"
        for backend in ("scalar", self.build / "lib/libexample.so", worker):
            with self.subTest(backend):
                self.assertFalse([line for line in self.certify(backend) if line.startswith("sandbox")])
                lines = self.certify(backend, "--sandbox")
                in_force = [line for line in lines if line.startswith("sandbox: ")]
                refused = [line for line in lines if line.startswith("sandbox, NOT in force: ")]
                for words, there, absent in [(each, refused, in_force) for each in REFUSED] + [(each, in_force, refused) for each in LEFT]:
                    self.assertTrue(any(words in line for line in there), f"{words}: {lines}")
                    self.assertFalse(any(words in line for line in absent), f"{words}: {lines}")

    def test_in_the_sandbox_root_reads_what_its_user_may_and_says_what_it_may_not(self):
        with tempfile.TemporaryDirectory() as folder:
            library = shutil.copy(self.build / "lib/libexample.so", folder)
            os.chown(folder, 1000, 1000)
            done = inside(self.build / "bin/certile", "certify", library, "--case", CASE, "--sandbox")
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn(f"{library}: this cannot be reached: Permission denied", done.stderr)

    def test_the_whole_sandbox_is_refused_with_the_reasons(self):
        done = inside(self.build / "bin/certile", "certify", "scalar", "--case", CASE, "--sandbox=required")
        self.assertEqual(done.returncode, 4)
        for words in REFUSED:
            self.assertIn(words, done.stderr)

    def test_what_the_layers_left_stop_is_stopped(self):
        done = inside(self.build / "bin/conformance_tests", "--gtest_filter=Sandbox.*:Layers/*")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("[       OK ] Sandbox.StopsTogetherWhatEachLayerInForceStops", done.stdout)


def main():
    Container.build = Path(sys.argv.pop(1))
    if os.geteuid() != 0 or (made := inside("true")).returncode != 0:
        print("not tested:", made.stderr.strip() if os.geteuid() == 0 else "only root can make a container's surroundings")
        return SKIPPED
    return not unittest.main(exit=False).result.wasSuccessful()


if __name__ == "__main__":
    sys.exit(main())
