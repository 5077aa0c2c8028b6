#!/usr/bin/env python3
"""Shows that ./dev lint reports what is wrong, with a faulty file for each of its parts, and runs nothing twice for nothing."""
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECKER = ROOT / "build/environments/lint/bin/check-jsonschema"
# Says of every file that it has read, and finds a fault in each word "fault".
TIDY = """#!/bin/sh
if [ "$1" = --version ]; then echo 1; exit 0; fi
for file; do :; done
echo "$file" >>"$(dirname "$0")/asked"
[ ! -e "$(dirname "$0")/broken" ] || { echo "out of order" >&2; exit 4; }
grep -n fault "$file" | sed "s#^\\([0-9]*\\):.*#$file:\\1:1: warning: a fault [word]#"
"""
RECORD = {"backend": "mine", "case": "openvino-tile-1 u8[2] x i64{2}", "operator": "openvino-tile-1", "type": "u8", "verdict": "pass",
          "exercised": ["OV-T1-G2"]}
FAILURE = RECORD | {"verdict": "fail", "fault": "elements", "violated": "OV-T1-G2", "explanation": "element [0] is 1, expected 2"}
AMENDMENT = {"by": "waiver", "verdict": "waived", "fault": "elements", "clause": "OV-T1-G2", "words": "known"}
HELLO = {"seq": "1", "status": "ok", "name": "mine", "version": "1", "operators": "onnx-tile-13", "types": "f32 u8",
         "repeats_types": "i64", "infer": "yes"}


class Temporary(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="a tree ")).resolve()
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


class Tidy(Temporary):
    def setUp(self):
        super().setUp()
        self.write("tool/tidy", TIDY).chmod(0o755)
        self.write(".clang-tidy", "Checks: one\n")
        self.write("a.cpp", '#include "a.hpp"\n')
        self.write("a.hpp", "int a;\n")
        self.write("b.cpp", "int b;\n")
        names = [str(self.root / name) for name in ("a.cpp", "b.cpp", "build/made.cpp")]
        self.write("build/compile_commands.json",
                   json.dumps([{"directory": str(self.root), "file": name, "command": f"c++ {name}"} for name in names]))

    def lint(self):
        return subprocess.run([sys.executable, "-B", ROOT / "tools/lint_tidy.py", self.root / "tool/tidy", self.root, self.root / "build"],
                              capture_output=True, text=True, check=False)

    def asked(self):
        """The files that the tool was run for since the last time."""
        path = self.root / "tool/asked"
        names = [Path(line).name for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
        path.unlink(missing_ok=True)
        return sorted(names)

    def test_a_finding_is_printed_with_its_place_from_the_root(self):
        self.write("b.cpp", "int b;\n// fault\n")
        done = self.lint()
        self.assertEqual(done.stdout, "b.cpp:2:1: warning: a fault [word]\nclang-tidy: 2 files, 1 findings\n")
        self.assertEqual(done.returncode, 1, done.stderr)

    def test_a_file_that_the_build_makes_is_not_read(self):
        self.lint()
        self.assertEqual(self.asked(), ["a.cpp", "b.cpp"])

    def test_what_has_not_changed_is_not_read_again_and_still_reported(self):
        self.write("b.cpp", "// fault\n")
        first = self.lint()
        self.asked()
        second = self.lint()
        self.assertEqual(self.asked(), [])
        self.assertEqual((second.returncode, second.stdout), (1, first.stdout))

    def test_a_changed_header_concerns_those_who_include_it(self):
        self.lint()
        self.asked()
        self.write("a.hpp", "long a;\n")
        self.lint()
        self.assertEqual(self.asked(), ["a.cpp"])

    def test_another_configuration_concerns_every_file(self):
        self.lint()
        self.asked()
        self.write(".clang-tidy", "Checks: two\n")
        self.lint()
        self.assertEqual(self.asked(), ["a.cpp", "b.cpp"])

    def test_a_tool_that_fails_is_an_error_and_keeps_nothing(self):
        broken = self.write("tool/broken", "")
        done = self.lint()
        self.assertEqual(done.returncode, 3)
        self.assertIn("b.cpp: clang-tidy ended with 4: out of order", done.stderr)
        broken.unlink()
        self.assertEqual(self.lint().returncode, 0)


@unittest.skipUnless(shutil.which("shellcheck") and shutil.which("git"), "./dev lint shell would install shellcheck")
class Shell(Temporary):
    def setUp(self):
        super().setUp()
        subprocess.run(["git", "init", "-q", self.root], check=True)
        for path in [ROOT / "dev", *(ROOT / "tools/dev").glob("*.sh")]:
            self.write(path.relative_to(ROOT), path.read_text(encoding="utf-8"))
        (self.root / "dev").chmod(0o755)

    def lint(self):
        return subprocess.run([self.root / "dev", "lint", "shell"], capture_output=True, text=True, check=False)

    def test_a_variable_without_quotes_is_reported(self):
        self.write("tools/other.sh", "#!/bin/sh\nrm $1\n")
        done = self.lint()
        self.assertEqual(done.returncode, 1)
        self.assertIn("SC2086", done.stdout)

    def test_nothing_else_is_reported(self):
        done = self.lint()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"^shellcheck: \d+ files, 0 findings\n$")


@unittest.skipUnless(CHECKER.exists(), "./dev lint schemas would install check-jsonschema")
class Schemas(Temporary):
    def keeps(self, kind, *values):
        path = self.write("lines", "".join(json.dumps(value) + "\n" for value in values))
        done = subprocess.run([sys.executable, "-B", ROOT / "tools/lint_schemas.py", CHECKER, ROOT, self.root, kind, path],
                              capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.returncode == 0

    def test_records_that_certile_writes_keep_the_schema(self):
        self.assertTrue(self.keeps("records", RECORD, RECORD | {"vacuous": True}, FAILURE, FAILURE | {"law": "tiling-twice"},
                                   FAILURE | {"amended": [AMENDMENT]}))

    def test_a_judge_that_waives_breaks_it(self):
        self.assertFalse(self.keeps("records", FAILURE | {"verdict": "waived"}))

    def test_an_amendment_without_its_author_breaks_it(self):
        self.assertFalse(self.keeps("records", FAILURE | {"amended": [{"verdict": "not-run"}]}))

    def test_a_field_that_is_not_described_breaks_it(self):
        self.assertFalse(self.keeps("records", RECORD, RECORD | {"speed": 1}))

    def test_a_failure_without_a_clause_breaks_it(self):
        self.assertFalse(self.keeps("records", {key: value for key, value in FAILURE.items() if key != "violated"}))

    def test_a_pass_with_a_fault_breaks_it(self):
        self.assertFalse(self.keeps("records", RECORD | {"fault": "elements"}))

    def test_a_footer_without_counts_breaks_it(self):
        self.assertFalse(self.keeps("records", {"footer": {"records": 1}}))

    def test_an_answer_to_hello_keeps_its_schema(self):
        self.assertTrue(self.keeps("hello", {"__metadata__": HELLO}, {"__metadata__": HELLO | {"parts": f"{'0' * 64}  a.py"}}))

    def test_a_misspelt_word_of_hello_breaks_it(self):
        self.assertFalse(self.keeps("hello", {"__metadata__": HELLO | {"max_ranks": "8"}}))

    def test_a_type_that_certile_does_not_know_breaks_it(self):
        self.assertFalse(self.keeps("hello", {"__metadata__": HELLO | {"types": "f32 float"}}))


if __name__ == "__main__":
    unittest.main()
