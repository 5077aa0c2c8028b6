#!/usr/bin/env python3
"""schemas_test.py BUILD ROOT: what certile and its workers write keeps the JSON schemas of the tree.

Checked are runs of several kinds, line by line, certificates, and the answer to hello of the examples and of every adapter whose
runtime is in ROOT/build/environments. Exit code 77 where Python's jsonschema is not installed.
"""
import json
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

try:
    import jsonschema
except ModuleNotFoundError:
    print("not tested: jsonschema is not installed; on Debian: apt-get install python3-jsonschema")
    sys.exit(77)

BUILD, ROOT = (Path(word).resolve() for word in sys.argv[1:3])
SCHEMAS = {kind: json.loads((ROOT / path).read_text(encoding="utf-8")) for kind, path in {
    "records": "conformance/records/schema.json", "hello": "backends/worker/hello.schema.json",
    "certificate": "conformance/certificate/schema.json"}.items()}
CHECKERS = {kind: jsonschema.validators.validator_for(schema)(schema) for kind, schema in SCHEMAS.items()}
EXAMPLE = ROOT / "backends/worker/example.py"
HELLO = json.dumps({"__metadata__": {"cmd": "hello", "protocol": "1", "certile": "0.1.0", "seq": "1"}}).encode()
WAIVERS = """
OV-T1-G2 f32 elements "known" owner: Ada link: none until: 2100-01-01
'openvino-tile-1 f32[2,2]{1,2,3,4} x i64{1,1}' elements "fixed" owner: Ada link: none until: 2100-01-01
"""
RECORD = {"backend": "mine", "case": "openvino-tile-1 u8[2] x i64{2}", "operator": "openvino-tile-1", "type": "u8", "verdict": "pass",
          "exercised": ["OV-T1-G2"]}
FAILURE = RECORD | {"verdict": "fail", "fault": "elements", "violated": "OV-T1-G2", "explanation": "element [0] is 1, expected 2"}
AMENDMENT = {"by": "waiver", "verdict": "waived", "fault": "elements", "clause": "OV-T1-G2", "words": "known"}
ANSWER = {"seq": "1", "status": "ok", "name": "mine", "version": "1", "operators": "onnx-tile-13", "types": "f32 u8",
          "repeats_types": "i64", "infer": "yes"}
# Of each schema, values that keep it and values that break it.
RIGHT: dict[str, list] = {
         "records": [RECORD, RECORD | {"vacuous": True}, FAILURE, FAILURE | {"law": "tiling-twice"}, FAILURE | {"amended": [AMENDMENT]}],
         "hello": [{"__metadata__": ANSWER}, {"__metadata__": ANSWER | {"parts": f"{'0' * 64}  a.py"}}]}
WRONG: dict[str, list] = {
         "records": [FAILURE | {"verdict": "waived"}, FAILURE | {"amended": [{"verdict": "not-run"}]}, RECORD | {"speed": 1},
                     {key: value for key, value in FAILURE.items() if key != "violated"}, RECORD | {"fault": "elements"},
                     {"footer": {"records": 1}}],
         "hello": [{"__metadata__": ANSWER | {"max_ranks": "8"}}, {"__metadata__": ANSWER | {"types": "f32 float"}}],
         "certificate": [{"_type": "https://in-toto.io/Statement/v1"}]}


def worker(path):
    return f"worker:{shlex.join([sys.executable, str(path)])}"


class Schemas(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="certile schemas ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def keeps(self, kind, value):
        error = jsonschema.exceptions.best_match(CHECKERS[kind].iter_errors(value))
        self.assertIsNone(error, error and f"{error.json_path}: {error.message[:500]}\n{json.dumps(value)[:1000]}")

    def command(self, *words):
        return [str(BUILD / "bin/certile"), "certify", *map(str, words), "--records", str(self.folder / "records")]

    def records(self, *words):
        """Checks the lines of a run: of those with the same fields, the first hundred."""
        if words:
            done = subprocess.run(self.command(*words), cwd=ROOT, capture_output=True, text=True, check=False)
            self.assertIn(done.returncode, (0, 1, 5), done.stderr)
        alike: dict[tuple, int] = {}
        for line in (self.folder / "records").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            alike[tuple(record)] = alike.get(tuple(record), 0) + 1
            if alike[tuple(record)] <= 100:
                self.keeps("records", record)
        self.assertIn(("footer",), alike)

    def test_the_schemas_are_schemas_and_can_be_broken(self):
        for kind, schema in SCHEMAS.items():
            CHECKERS[kind].check_schema(schema)
            for value in RIGHT.get(kind, []):
                self.keeps(kind, value)
            for value in WRONG[kind]:
                self.assertFalse(CHECKERS[kind].is_valid(value), value)

    def test_records_of_runs_keep_theirs(self):
        (self.folder / "waivers").write_text(WAIVERS, encoding="utf-8")
        for words in (["scalar", "--budget", "200"], ["scalar", "simd", "--tier", "smoke", "--clause", "OV-T1-X4", "--random", "3"],
                      ["scalar", "--case", 'openvino-tile-1 string{"a","b"} x i64{2}'],
                      [worker(EXAMPLE), "--case", "openvino-tile-1 u8{7,9} x i64{2}"],
                      [BUILD / "mutants/M01.so", "--budget", "12", "--waivers", self.folder / "waivers"]):
            with self.subTest(words):
                self.records(*words)

    def test_records_of_an_interrupted_run_keep_theirs(self):
        path = self.folder / "records"
        with subprocess.Popen(self.command("scalar", "--jobs", "1"), cwd=ROOT, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as running:
            while running.poll() is None and not (path.exists() and path.read_bytes().count(b"\n") > 1):
                time.sleep(0.01)
            running.send_signal(signal.SIGINT)
        self.assertIn('"incomplete"', path.read_text(encoding="utf-8"))
        self.records()

    def test_certificates_keep_theirs(self):
        """Those of a library and of a worker, which claim so little that the tier core is short."""
        few, text = self.folder / "few.py", EXAMPLE.read_text(encoding="utf-8")
        few.write_text(text.replace('TYPES = [*INTEGERS, ', 'TYPES = ["u8"]  #').replace(
            '"infer": "yes"', '"infer": "yes", "max_rank": "2", "max_elements": "20"'), encoding="utf-8")
        limits = ("--env", "TYPES=u8", "--env", "MAX_RANK=2", "--env", "MAX_ELEMENTS=20")
        for words in ([BUILD / "test_plugins/limited.so", *limits], [worker(few), "--definition", "openvino-tile-1"]):
            with self.subTest(words):
                self.records(*words, "--jobs", "2", "--time-limit", "100", "--certificate", self.folder / "statement")
                self.keeps("certificate", json.loads((self.folder / "statement").read_text(encoding="utf-8")))
                (self.folder / "statement").unlink()

    def test_answers_of_workers_to_hello_keep_theirs(self):
        commands: list[list] = [[sys.executable, EXAMPLE], [BUILD / "bin/certile_example_worker"]]
        adapters = ROOT / "backends/worker/adapters"
        for line in (adapters / "adapters.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith("adapter "):
                _, _, environment, script, *words = line.split()
                commands.append([ROOT / "build/environments" / environment / "bin/python", "-B", adapters / script, *words])
        for command in commands:
            with self.subTest(command):
                if not Path(command[0]).exists():
                    continue
                asked = len(HELLO).to_bytes(8, "little") + HELLO
                done = subprocess.run(command, input=asked, capture_output=True, timeout=120, check=False)
                if done.stdout or done.returncode == 0:  # else a part of the runtime is missing
                    self.keeps("hello", json.loads(done.stdout[8:8 + int.from_bytes(done.stdout[:8], "little")]))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
