#!/usr/bin/env python3
"""Checks the output of certile and its workers with the JSON schemas of the tree.

    lint_schemas.py CHECK_JSONSCHEMA ROOT BUILD      exit code 1 if something breaks its schema
    lint_schemas.py CHECK_JSONSCHEMA ROOT BUILD records FILE...
    lint_schemas.py CHECK_JSONSCHEMA ROOT BUILD hello FILE...
    lint_schemas.py CHECK_JSONSCHEMA ROOT BUILD certificate FILE...
                                   the same, only for these files of records, headers of answers to hello, or statements

Checked are runs of several kinds, line by line, certificates, and the answer to hello of the examples and of every adapter
whose runtime is in build/environments.
"""
import collections
import json
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

SCHEMAS = {"records": Path("conformance/records/schema.json"), "hello": Path("backends/worker/hello.schema.json"),
           "certificate": Path("conformance/certificate/schema.json")}
HELLO = json.dumps({"__metadata__": {"cmd": "hello", "protocol": "1", "certile": "0.1.0", "seq": "1"}}).encode()
WAIVERS = """
OV-T1-G2 f32 elements "known" owner: Ada link: none until: 2100-01-01
'openvino-tile-1 f32[2,2]{1,2,3,4} x i64{1,1}' elements "fixed" owner: Ada link: none until: 2100-01-01
"""
LIMITS = ("--env", "TYPES=u8", "--env", "MAX_RANK=2", "--env", "MAX_ELEMENTS=20")
ALIKE = 100
PATIENCE = 120  # seconds, in which a runtime starts


class Schemas:
    """The checker, and a folder for its input."""

    def __init__(self, checker, root, folder):
        self.checker, self.root, self.folder = checker, root, folder

    def check(self, kind, paths):
        """Returns true if each of the files, an array of JSON values, has only values of the schema."""
        each = self.folder / f"{kind}.schema.json"
        each.write_text(json.dumps({"type": "array", "minItems": 1, "items": {"$ref": (self.root / SCHEMAS[kind]).as_uri()}}),
                        encoding="utf-8")
        done = subprocess.run([self.checker, "--schemafile", each, *paths], check=False, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            print(done.stdout, end="")
        return done.returncode == 0

    def array_of_one(self, path):
        """Returns the file of an array that holds the JSON of a file."""
        array = self.folder / f"{path.name}.json"
        array.write_text(json.dumps([json.loads(path.read_text(encoding="utf-8"))]), encoding="utf-8")
        return array

    def array_of(self, path):
        """Returns the file of an array that holds the lines of a file: of those with the same fields, the first hundred."""
        alike: collections.Counter[tuple[str, ...]] = collections.Counter()
        lines = []
        with path.open(encoding="utf-8") as file:
            for line in file:
                fields = tuple(json.loads(line))
                alike[fields] += 1
                if alike[fields] <= ALIKE:
                    lines.append(line.rstrip("\n"))
        array = self.folder / f"{path.name}.json"
        array.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
        return array


class Runs:
    """Runs of certile, each with its records in a separate file."""

    def __init__(self, root, build, folder):
        self.root, self.build, self.folder = root, build, folder

    def _command(self, name, words):
        return [self.build / "bin/certile", "certify", *words, "--records", self.folder / f"{name}.jsonl"]

    def finished(self, name, *words):
        done = subprocess.run(self._command(name, words), cwd=self.root, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 5):
            raise RuntimeError(f"certile certify {shlex.join(map(str, words))} ended with {done.returncode}: {done.stderr}")
        return self.folder / f"{name}.jsonl"

    def interrupted(self, name, *words):
        """A run that is interrupted once its first records are written."""
        path = self.folder / f"{name}.jsonl"
        with subprocess.Popen(self._command(name, words), cwd=self.root, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as running:
            while running.poll() is None and not (path.exists() and path.read_bytes().count(b"\n") > 1):
                pass
            running.send_signal(signal.SIGINT)
        if '"incomplete"' not in path.read_text(encoding="utf-8"):
            raise RuntimeError(f"{name}: the run ended before it could be interrupted")
        return path

    def certificate(self, name, *words):
        """The certificate of a run of the tier core, of a backend that is right but may be slow."""
        path = self.folder / f"{name}.statement"
        records = self.finished(name, *words, "--jobs", "2", "--time-limit", "100", "--certificate", path)
        if not path.exists():
            raise RuntimeError(f"{shlex.join(map(str, words))} was not certified: {records.read_text()[-2000:]}")
        return path

    def waived(self, name, backend):
        """A run with waivers, of which one accepts failures and another names a case that passes."""
        waivers = self.folder / "accepted.waivers"
        waivers.write_text(WAIVERS, encoding="utf-8")
        return self.finished(name, backend, "--budget", "500", "--waivers", waivers)


def answer_to_hello(command):
    """Returns the header of a worker's answer to hello; nothing if it ended instead, because a part of its runtime is missing."""
    done = subprocess.run(command, input=len(HELLO).to_bytes(8, "little") + HELLO, capture_output=True,
                          timeout=PATIENCE, check=False)
    if not done.stdout and done.returncode != 0:
        print(f"left out: {shlex.join(map(str, command))}: {done.stderr.decode(errors='replace').strip()}", file=sys.stderr)
        return None
    length = int.from_bytes(done.stdout[:8], "little")
    return json.loads(done.stdout[8:8 + length])


def workers(root, build):
    """Yields the command of every worker that can be started here."""
    yield [sys.executable, root / "backends/worker/example.py"]
    if (build / "bin/certile_example_worker").exists():
        yield [build / "bin/certile_example_worker"]
    adapters = root / "backends/worker/adapters"
    for line in (adapters / "adapters.txt").read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "adapter":
            _, environment, script, *words = rest.split()
            python = root / "build/environments" / environment / "bin/python"
            if python.exists():
                yield [python, "-B", adapters / script, *words]


def check_everything(schemas, root, build):
    runs = Runs(root, build, schemas.folder)
    paths = [
        runs.finished("scalar", "scalar", "--budget", "500"),
        runs.finished("mutant", build / "mutants/M01.so", "--budget", "500"),
        runs.finished("filtered", "scalar", "simd", "--tier", "smoke", "--clause", "OV-T1-X4", "--random", "3"),
        runs.finished("cases", "scalar", "--case", "openvino-tile-1 string{\"a\",\"b\"} x i64{2}"),
        runs.finished("worker", f"worker:python3 {shlex.quote(str(root / 'backends/worker/example.py'))}", "--case",
                      "openvino-tile-1 u8{7,9} x i64{2}"),
        runs.finished("late", build / "test_plugins/wrong_from_call_500.so", "--tier", "smoke"),
        runs.waived("waived", build / "mutants/M01.so"),
        runs.interrupted("interrupted", "scalar", "--definition", "onnx-tile-1", "--jobs", "1"),
    ]
    answers = [answer for command in workers(root, build) if (answer := answer_to_hello(command))]
    hello = schemas.folder / "hello.json"
    hello.write_text(json.dumps(answers), encoding="utf-8")
    lines = sum(len(path.read_bytes().splitlines()) for path in paths)
    right = schemas.check("records", [schemas.array_of(path) for path in paths])
    right = schemas.check("hello", [hello]) and right
    certificates = [
        runs.certificate("certified", build / "test_plugins/limited.so", *LIMITS),
        runs.certificate("certified-worker", f"worker:{shlex.quote(str(build / 'bin/certile_example_worker'))}",
                         "--definition", "openvino-tile-1"),
    ]
    right = schemas.check("certificate", [schemas.array_of_one(path) for path in certificates]) and right
    print(f"check-jsonschema: {lines} lines of {len(paths)} runs, {len(answers)} answers to hello, {len(certificates)} certificates")
    return right


def main(arguments):
    if len(arguments) < 3 or (len(arguments) > 3 and (arguments[3] not in SCHEMAS or len(arguments) == 4)):
        print(__doc__, file=sys.stderr)
        return 2
    checker, (root, build) = arguments[0], (Path(each).resolve() for each in arguments[1:3])
    if subprocess.run([checker, "--check-metaschema", *(root / path for path in SCHEMAS.values())], check=False,
                      stdout=subprocess.DEVNULL).returncode != 0:
        return 1
    with tempfile.TemporaryDirectory(prefix="certile-schemas-") as name:
        schemas = Schemas(checker, root, Path(name))
        if len(arguments) == 3:
            return 0 if check_everything(schemas, root, build) else 1
        array_of = schemas.array_of_one if arguments[3] == "certificate" else schemas.array_of
        return 0 if schemas.check(arguments[3], [array_of(Path(path)) for path in arguments[4:]]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
