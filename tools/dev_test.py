#!/usr/bin/env python3
"""Shows what ./dev passes on to certile, with a build directory whose program only repeats its arguments."""
import os
import pty
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

DEV = Path(__file__).resolve().parent.parent / "dev"
CERTILE_BENCH = """#!/bin/sh
printf '<%s>' "$@"
exit 3
"""
CERTILE = """#!/bin/sh
printf '<%s>' "$@"
exit 7
"""


class Dev(unittest.TestCase):
    def setUp(self):
        self.build = Path(tempfile.mkdtemp(prefix="a build "))
        self.addCleanup(shutil.rmtree, self.build)
        (self.build / "bin").mkdir()
        for name, text in (("certile", CERTILE), ("certile-bench", CERTILE_BENCH)):
            program = self.build / "bin" / name
            program.write_text(text, encoding="utf-8")
            program.chmod(0o755)

    def dev(self, *arguments):
        return subprocess.run([DEV, *arguments], cwd=self.build, env=os.environ | {"CERTILE_BUILD": str(self.build)},
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)

    def test_without_a_backend_every_built_in_one_is_certified(self):
        self.assertRegex(self.dev("certify").stdout, "^<certify><built-in><--jobs><[0-9]+>$")

    def test_options_alone_name_no_backend(self):
        self.assertEqual(self.dev("certify", "--tier", "smoke", "--fail-fast").stdout,
                         "<certify><built-in><--tier><smoke><--fail-fast>")

    def test_a_backend_behind_options_is_the_only_one(self):
        self.assertEqual(self.dev("certify", "--fail-fast", "--tier=smoke", "./mine.so").stdout,
                         "<certify><--fail-fast><--tier=smoke><./mine.so>")

    def test_an_argument_with_spaces_stays_one(self):
        self.assertEqual(self.dev("certify", "scalar", "--case", "a 'b' c").stdout, "<certify><scalar><--case><a 'b' c>")

    def test_the_value_of_an_option_is_no_runtime(self):
        self.assertEqual(self.dev("certify", "--records", "numpy", "scalar").stdout, "<certify><--records><numpy><scalar>")

    def test_the_exit_code_is_that_of_certile(self):
        self.assertEqual(self.dev("certify").returncode, 7)

    def test_bench_passes_on_what_is_no_output_of_its_own(self):
        done = self.dev("bench", "simd", "--gate", "old.json", "--hot", "--by-time", "--case", "a 'b'", "--json", "run.json")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stdout, "<--budget><0.3><simd><--hot><--case><a 'b'><--json><run.json>")

    def test_bench_of_nothing_times_the_workloads(self):
        self.assertEqual(self.dev("bench").stdout, "<--budget><0.3><--suite><workloads><--json><{}>".format(
            DEV.parent / "build/bench/bench.json"))

    def progress(self, lines, **streams):
        """Shows the progress that these lines of Ninja or apt tell of."""
        function = subprocess.run(["sed", "-n", "/^show_progress()/,/^}/p", DEV], capture_output=True, text=True, check=True).stdout
        script = f'say() {{ echo "$*" >&2; }}\n{function}\nshow_progress log work'
        done = subprocess.run(["bash", "-c", script], input="\n".join(lines) + "\n", text=True, cwd=self.build, check=True, **streams)
        self.assertEqual((self.build / "log").read_text(encoding="utf-8").splitlines(), list(lines))
        return done.stderr

    NINJA = ("[0/2] Re-checking globbed directories...", "[1/2] Re-running CMake...", "-- Configuring done",
             "[1/176] Building CXX object a.o", "[2/176] Building CXX object b.o")
    APT = ("Get:1 a.deb", "dlstatus:1:50.2:Retrieving file", "pmstatus:a:7.3:Unpacking a (amd64)")

    def test_work_is_announced_with_the_steps_of_the_build_not_those_of_cmake(self):
        self.assertEqual(self.progress(self.NINJA + self.APT, stderr=subprocess.PIPE), "work: 176 steps\n")

    def test_on_a_terminal_one_line_moves(self):
        terminal, stream = pty.openpty()
        self.progress(self.NINJA + self.APT, stderr=stream)
        os.close(stream)
        self.assertEqual(os.read(terminal, 4096).decode(), "".join(f"\r\033[Kdev: work: {step}" for step in (
            "1 of 176", "2 of 176", "50 % fetched", "7 % unpacked")) + "\r\033[K")

    def without_packages(self, apt):
        """Runs ./dev certify on a system that lacks every package, and whose apt-get is the shell script."""
        self.copy("dev", "tools/dev")
        programs = self.build / "programs"
        programs.mkdir()
        for name, text in (("dpkg-query", "exit 1"), ("dpkg", "echo amd64"), ("sudo", '[ "$1" != -n ] || shift\nexec "$@"'),
                           ("apt-get", apt)):
            (programs / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
            (programs / name).chmod(0o755)
        environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
        environment.pop("CERTILE_BUILD", None)
        done = subprocess.run([self.build / "dev", "certify"], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
                              env=environment)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        first, *others = done.stderr.splitlines()
        self.assertRegex(first, "^dev: installing ccache cmake ")
        return others

    def test_without_a_network_one_sentence_says_so(self):
        said = self.without_packages("echo 'W: Failed to fetch http://a/b  Temporary failure resolving'; [ $1 = update ]")
        self.assertEqual(said, [f"dev: apt cannot fetch them: is there a network? (all of its output: {self.build}/build/apt.log)"])

    def test_packages_that_a_system_does_not_have_are_named(self):
        said = self.without_packages("[ $1 = update ] || { echo 'E: Unable to locate package g++'; exit 100; }")
        self.assertRegex(said[0], "^dev: this system's package sources do not have g[+][+]; as root: apt-get update && apt-get install cca")

    def test_what_apt_says_of_another_failure_is_shown_without_its_progress(self):
        said = self.without_packages("echo \"pmstatus:a:7:Unpacking\"; echo \"$1: no\"; exit 100")
        self.assertEqual(said[0], "update: no")

    def test_a_bare_root_needs_root_and_mounts(self):
        self.copy("dev", "tools/dev")
        unshare = self.build / "unshare"
        unshare.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        unshare.chmod(0o755)
        done = subprocess.run([self.build / "dev", "test", "--bare=short"], capture_output=True, text=True, check=False,
                              env=os.environ | {"PATH": f"{self.build}:{os.environ['PATH']}"})
        code, said = (77, "skipped: this machine allows no mounts") if os.geteuid() == 0 else (2, "by root only")
        self.assertEqual(done.returncode, code)
        self.assertIn(said, done.stderr)

    def test_bench_compares_runs_without_a_build(self):
        shutil.rmtree(self.build / "bin")
        done = self.dev("bench", "compare", "old.json", "new.json")
        self.assertEqual((done.returncode, done.stderr), (2, "certile-bench: cannot read old.json: No such file or directory\n"))

    def test_a_build_without_the_program_is_named(self):
        shutil.rmtree(self.build / "bin")
        done = self.dev("certify")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(f"there is no program {self.build}/bin/certile", done.stderr)

    def test_an_unknown_command_is_named_beside_those_that_exist(self):
        done = self.dev("bake")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "dev: unknown command 'bake'; there are: certify, test, lint, bench, properties, atlas, fuzz, "
                                      "coverage, guard, packages, release, format, help\n")

    def test_guard_names_a_commit_that_is_not_there(self):
        done = self.dev("guard", "bake")
        self.assertEqual((done.returncode, done.stderr), (2, "dev: there is no commit 'bake'\n"))

    def test_an_unknown_preset_is_named_beside_those_that_exist(self):
        done = self.dev("test", "--preset", "fast")
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown preset 'fast'; there are: dev asan", done.stderr)

    def test_an_unknown_fuzz_target_is_named_beside_those_that_exist(self):
        done = self.dev("fuzz", "everything")
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown target 'everything'; there are: claim corpus literal", done.stderr)

    def copy(self, *paths):
        """Copies files and folders of the tree."""
        for path in paths:
            if not (self.build / path).exists():
                (self.build / path).parent.mkdir(parents=True, exist_ok=True)
                copy = shutil.copytree if (DEV.parent / path).is_dir() else shutil.copy
                copy(DEV.parent / path, self.build / path)

    def keep(self, *arguments):
        """Runs ./dev fuzz keep in a copy of what it needs."""
        self.copy("dev", "tools/dev", "conformance/proof/fuzz/seeds/literal.tar.gz")
        return subprocess.run([self.build / "dev", "fuzz", "keep", *arguments], capture_output=True, text=True, check=False)

    def test_kept_inputs_join_the_seeds_and_the_same_seeds_are_the_same_archive(self):
        archive, found = self.build / "conformance/proof/fuzz/seeds/literal.tar.gz", self.build / "crash-1"
        found.write_bytes(b"openvino-tile-1 \xff")
        self.assertEqual(self.keep("literal", found).returncode, 0)
        first = archive.read_bytes()
        with tarfile.open(archive) as seeds, tarfile.open(DEV.parent / archive.relative_to(self.build)) as before:
            self.assertEqual(len(seeds.getnames()), len(before.getnames()) + 1)
            contents = [file.read() for file in map(seeds.extractfile, seeds) if file]
        self.assertIn(found.read_bytes(), contents)
        self.keep("literal", found)
        self.assertEqual(archive.read_bytes(), first)

    def test_a_missing_input_or_target_keeps_nothing(self):
        for arguments, why in ((("literal", "/none"), "there is no file '/none'"), (("literally", DEV), "unknown target 'literally'"),
                               (("literal",), "fuzz keep needs a target and files")):
            done = self.keep(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(why, done.stderr)
        seeds = "conformance/proof/fuzz/seeds/literal.tar.gz"
        self.assertEqual((self.build / seeds).read_bytes(), (DEV.parent / seeds).read_bytes())

    def test_a_release_is_refused_with_every_reason(self):
        self.copy("dev", "tools/dev", "CMakeLists.txt", "CHANGELOG.md", "docs/ci.md", "backends/worker/python/certile/__init__.py")
        for name, old, new in (("CHANGELOG.md", "\n## ", "\n## not "), ("docs/ci.md", "@v", "@v9"),
                               ("backends/worker/python/certile/__init__.py", '__version__ = "', '__version__ = "9')):
            file = self.build / name
            file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        git = ("git", "-C", self.build, "-c", "user.name=a", "-c", "user.email=a")
        subprocess.run([*git, "init", "-q"], check=True)
        done = subprocess.run([self.build / "dev", "release"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        for why in ("not committed", "CHANGELOG.md has no line", "the Python package has another version",
                    "docs/ci.md names another version", "cannot be released like this"):
            self.assertIn(why, done.stderr)
        self.assertNotIn("already", done.stderr)
        for command in (("add", "--all"), ("commit", "-q", "-m", "all"), ("tag", "v0.1.0")):
            subprocess.run([*git, *command], check=True)
        done = subprocess.run([self.build / "dev", "release"], capture_output=True, text=True, check=False)
        self.assertIn("there is a tag v0.1.0 already", done.stderr)
        self.assertNotIn("not committed", done.stderr)

    def test_help_names_every_command(self):
        done = self.dev("help")
        self.assertEqual(done.returncode, 0)
        for command in ("certify", "test", "lint", "properties", "atlas", "fuzz", "coverage", "packages", "release", "format",
                        "help"):
            self.assertIn(f"./dev {command}", done.stdout)


class Guard(unittest.TestCase):
    """Compares two builds whose program writes one record, the same for every implementation."""

    def guard(self, records, *options):
        with tempfile.TemporaryDirectory() as folder:
            builds = [Path(folder) / name for name in ("now", "before")]
            for build, record in zip(builds, records, strict=True):
                program = build / "bin" / "certile"
                program.parent.mkdir(parents=True)
                program.write_text(f"#!/bin/sh\nprintf '%s\\n' HEADER '{record}' FOOTER >\"$6\"\n", encoding="utf-8")
                program.chmod(0o755)
            return subprocess.run([sys.executable, DEV.parent / "tools" / "guard.py", *builds, *options],
                                  capture_output=True, text=True, check=False)

    def test_the_same_records_are_no_change(self):
        done = self.guard(['{"case":"one","verdict":"pass"}'] * 2)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("scalar: 1 records, 0 differ, 0 are missing, 0 are new\n", done.stdout)

    def test_a_record_that_differs_is_shown(self):
        done = self.guard(['{"case":"one","verdict":"pass"}', '{"case":"one","verdict":"fail"}'])
        self.assertEqual(done.returncode, 1)
        self.assertIn('scalar: 1 records, 1 differ, 0 are missing, 0 are new\n  now    {"case":"one","verdict":"pass"}\n'
                      '  before {"case":"one","verdict":"fail"}\n', done.stdout)

    def test_a_field_that_a_change_adds_can_be_left_out(self):
        done = self.guard(['{"case":"one","verdict":"pass","reason":"x"}', '{"case":"one","verdict":"pass"}'], "--ignore", "reason")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_cases_that_only_one_has_are_counted(self):
        done = self.guard(['{"case":"one"}', '{"case":"two"}'])
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 records, 0 differ, 1 are missing, 1 are new\n", done.stdout)


if __name__ == "__main__":
    unittest.main()
