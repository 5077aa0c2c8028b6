#!/usr/bin/env python3
"""Tests openvino_layouts.py, and asks an OpenVINO that is installed by way of its worker.

    openvino_layouts_test.py ROOT        exit code 77 where no environment has NumPy: skipped
"""
import io
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SKIPPED = 77
# The elements, the protocol's bytes, and OpenVINO's bytes in each layout.
BYTES = [
    ("u1", [1, 0, 0, 1, 1, 1, 0, 0], "9c", {"high bits first": "9c", "low bits first": "39"}),
    ("u2", [1, 2, 3, 0], "39", {"low bits first": "39", "high bits first": "6c"}),
    ("u4", [1, 2, 3], "2103", {"low bits first": "2103", "high bits first": "1230"}),
    ("i4", [15, 1], "1f", {"low bits first": "1f", "high bits first": "f1"}),
    ("nf4", [7, 0], "07", {"low bits first": "07", "high bits first": "70"}),
    ("f4e2m1", [2, 9], "92", {"low bits first": "92", "high bits first": "29"}),
    ("u3", [1, 2, 3, 4, 5, 6, 7, 0], "d1581f", {"one stream": "d1581f", "planes": "6c6c1e"}),
    ("u3", [7], "07", {"one stream": "07", "planes": "c00080"}),
    ("u6", [1, 18, 35, 52], "8134d2", {"one stream": "8134d2", "planes": "12341b"}),
    ("u6", [1, 18], "8104", {"one stream": "8104", "planes": "120010"}),
]


def run_in_environment(root):
    """Runs the tests in an environment that has NumPy, with OpenVINO where there is one."""
    for name in ("openvino", "numpy"):
        folder = Path(root, "build", "environments", name)
        if (folder / "installed").is_file():
            command = [str(folder / "bin/python"), "-B", __file__, "--here", str(folder) if name == "openvino" else ""]
            return subprocess.run(command, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"}, check=False).returncode
    print("skipped: ./dev certify numpy would make an environment that has NumPy")
    return SKIPPED


class Layouts(unittest.TestCase):
    def layout(self, kind, name):
        return next(each for each in layouts_of(kind) if each.name == name)

    def test_elements_lie_where_each_layout_has_them(self):
        for kind, _, protocol, stored in BYTES:
            self.assertEqual([each.name for each in layouts_of(kind)], list(stored))
            for name, due in stored.items():
                with self.subTest(kind=kind, layout=name):
                    self.assertEqual(self.layout(kind, name).stored(bytes.fromhex(protocol)).tobytes().hex(), due)

    def test_they_come_back_without_what_fills_the_last_byte(self):
        for kind, elements, protocol, stored in BYTES:
            for name, given in stored.items():
                with self.subTest(kind=kind, layout=name):
                    bytes_given = np.frombuffer(bytes.fromhex(given), np.uint8)
                    self.assertEqual(self.layout(kind, name).content(len(elements), bytes_given).hex(), protocol)

    def test_a_runtime_is_asked_for_its_layout(self):
        for kind in WIDTHS:
            for due in layouts_of(kind):
                with self.subTest(kind=kind, layout=due.name):
                    found = layout_of(kind, lambda stored, due=due, kind=kind: values(kind, due.content(COUNT, stored)))
                    self.assertEqual(found.name, due.name)

    def test_values_do_not_matter_but_their_places_do(self):
        self.assertEqual(layout_of("u2", lambda stored: [-7 * each for each in values("u2", stored.tobytes())]).name, "low bits first")
        for broken in (lambda stored: [0] * COUNT, lambda stored: list(range(COUNT)), lambda stored: [],
                       lambda stored: values("u2", stored.tobytes())[::-1]):
            with self.assertRaisesRegex(LookupError, "u2 has none of the layouts low bits first, high bits first"):
                layout_of("u2", broken)


def values(kind, content):
    """The elements of the protocol's bytes, read bit by bit."""
    width, bits = WIDTHS[kind], []
    for byte in content:
        bits += [byte >> (7 - each if kind == "u1" else each) & 1 for each in range(8)]
    return [sum(bits[place + each] << each for each in range(width)) for place in range(0, COUNT * width, width)]


def seen_by_openvino(kind, count, stored):
    """The elements of OpenVINO's bytes, as it converts them to the next wider integers; i4 without sign."""
    import openvino as ov
    packed, made = ov.Tensor(getattr(ov.Type, kind), ov.Shape([count])), [ov.Tensor(ov.Type.i32, ov.Shape([count]))]
    packed.data.reshape(-1).view(np.uint8)[:] = np.frombuffer(stored, np.uint8)
    converted = ov.opset1.convert(ov.opset1.parameter(ov.PartialShape([-1]), packed.element_type), "i32")
    assert converted.evaluate(made, [packed])
    return [each & 2**WIDTHS[kind] - 1 for each in made[0].data.tolist()]


class Worker(unittest.TestCase):
    def setUp(self):
        if not openvino:
            self.skipTest("./dev certify openvino would install OpenVINO")

    def test_openvino_sees_the_elements_in_the_layout_that_the_worker_finds(self):
        said, diagnostics = self.dialogue([])
        self.assertEqual(set(WIDTHS) - set(said[0][0]["types"].split()), set(), "every packed type is claimed")
        found = dict(line.split(": ") for line in diagnostics.splitlines() if line.split(": ")[0] in WIDTHS)
        self.assertEqual(set(found), set(WIDTHS))
        for kind, elements, _, stored in BYTES:
            if kind not in ("nf4", "f4e2m1"):
                with self.subTest(kind=kind, layout=found[kind]):
                    self.assertEqual(seen_by_openvino(kind, len(elements), bytes.fromhex(stored[found[kind]])), elements)

    def test_whole_groups_that_are_not_repeated_come_back(self):
        whole = [each for each in BYTES if len(each[1]) * WIDTHS[each[0]] == 24 or WIDTHS[each[0]] not in (3, 6)]
        calls = [({"data.type": kind, "data.shape": str(len(elements)), "repeats.type": "i64", "repeats.shape": "1",
                   "element_bits": str(WIDTHS[kind])}, {"data": bytes.fromhex(protocol), "repeats": (1).to_bytes(8, "little")})
                 for kind, elements, protocol, _ in whole]
        said, _ = self.dialogue(calls)
        for (words, out), (kind, _, protocol, _) in zip(said[1:], whole):
            self.assertEqual((words["status"], words.get("out.type"), out.hex()), ("ok", kind, protocol), words)

    def dialogue(self, calls):
        """The words and output of hello and of each call, and what the worker said besides."""
        questions = io.BytesIO()
        for words, tensors in [({"cmd": "hello", "protocol": "1"}, {})] + [
                ({"cmd": "run", "op": "openvino-tile-1", **words}, tensors) for words, tensors in calls]:
            header, body = {"__metadata__": {**words, "seq": "1"}}, b""
            for name, content in tensors.items():
                header[name] = {"dtype": "U8", "shape": [len(content)], "data_offsets": [len(body), len(body) + len(content)]}
                body += content
            text = json.dumps(header).encode()
            questions.write(len(text).to_bytes(8, "little") + text + body)
        done = subprocess.run([sys.executable, "-B", FOLDER / "openvino_worker.py", "reference"], input=questions.getvalue(),
                              capture_output=True, timeout=120, check=True)
        said, rest = [], done.stdout
        while rest:
            start = 8 + int.from_bytes(rest[:8], "little")
            header = json.loads(rest[8:start])
            words, end = header.pop("__metadata__"), start + max([each["data_offsets"][1] for each in header.values()], default=0)
            said.append((words, rest[start:end]))
            rest = rest[end:]
        return said, done.stderr.decode()


if __name__ == "__main__":
    if sys.argv[1:2] != ["--here"]:
        sys.exit(run_in_environment(sys.argv[1]))
    sys.path.insert(0, str(FOLDER))
    openvino = sys.argv[2]
    import numpy as np
    from openvino_layouts import COUNT, WIDTHS, layout_of, layouts_of
    unittest.main(argv=sys.argv[:1])
