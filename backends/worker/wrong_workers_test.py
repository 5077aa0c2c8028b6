#!/usr/bin/env python3
"""Tests wrong_workers.py: each is wrong where it says so, by both doors, and right elsewhere."""
import json
import struct
import subprocess
import sys
import unittest
from pathlib import Path

import wrong_workers

SCRIPT = Path(wrong_workers.__file__)
FORMATS = {"u8": "B", "i64": "q", "f32": "f", "bf16": "H", "boolean": "?", "string": "s"}


def content_of(kind, elements):
    if kind == "string":
        offsets = [sum(map(len, elements[:number])) for number in range(len(elements) + 1)]
        return struct.pack(f"<{len(offsets)}Q", *offsets) + b"".join(elements)
    return struct.pack(f"<{len(elements)}{FORMATS[kind]}", *elements)


def message(words, tensors):
    header, body = {"__metadata__": words}, b""
    for name, content in tensors.items():
        header[name] = {"dtype": "U8", "shape": [len(content)], "data_offsets": [len(body), len(body) + len(content)]}
        body += content
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def call(command, op, kind, shape, elements, repeats, repeats_kind="i64"):
    words = {"cmd": command, "op": op, "data.type": kind, "data.shape": ",".join(map(str, shape)), "repeats.type": repeats_kind,
             "repeats.shape": str(len(repeats)), "element_bits": str({"f32": 32, "bf16": 16, "string": 128}.get(kind, 8)), "seq": "1"}
    tensors = {"repeats": content_of(repeats_kind, repeats)}
    if command == "run":
        tensors["data"] = content_of(kind, elements)
    return message(words, tensors)


def answers(name, *questions, infer="yes"):
    """The words and the output of each answer."""
    done = subprocess.run([sys.executable, "-B", SCRIPT, name, "--infer", infer], input=b"".join(questions), capture_output=True,
                          check=True, timeout=60)
    found, rest = [], done.stdout
    while rest:
        length = 8 + int.from_bytes(rest[:8], "little")
        header = json.loads(rest[8:length])
        words = header.pop("__metadata__")
        end = length + max([each["data_offsets"][1] for each in header.values()], default=0)
        found.append((words, rest[length:end] if "out" in header else None))
        rest = rest[end:]
    return found


def said(answer):
    """The status, the shape and the output's bytes."""
    words, out = answer
    return words["status"], words.get("out.shape", words.get("shape")), out


OVERFLOW = ("openvino-tile-1", "u8", [3], [1, 2, 3], [6148914691236517206])
# name, call, what `infer` says, what `run` says; status, shape, bytes.
WRONG = [
    ("each", ("openvino-tile-1", "u8", [2], [1, 2], [2]), ("ok", "4", None), ("ok", "4", b"\1\1\2\2")),
    ("each", ("openvino-tile-1", "u8", [2, 2], [1, 2, 3, 4], [2, 1]), ("ok", "4,2", None), ("ok", "4,2", b"\1\2\1\2\3\4\3\4")),
    ("reversed", ("onnx-tile-13", "bf16", [3], [1, 2, 3], [1]), ("ok", "3", None), ("ok", "3", b"\3\0\2\0\1\0")),
    ("first", ("onnx-tile-13", "u8", [2], [1, 2], [2]), ("ok", "4", None), ("ok", "4", b"\1\1\1\1")),
    ("zeros", ("openvino-tile-1", "f32", [1], [1.0], [2]), ("ok", "2", None), ("ok", "2", bytes(8))),
    ("negative_is_one", ("openvino-tile-1", "u8", [2], [1, 2], [-1]), ("ok", "2", None), ("ok", "2", b"\1\2")),
    ("zero_is_one", ("onnx-tile-13", "u8", [2], [1, 2], [0]), ("ok", "2", None), ("ok", "2", b"\1\2")),
    ("no_memory", OVERFLOW, ("no_memory", None, None), ("no_memory", None, None)),
    ("failed", OVERFLOW, ("failed", None, None), ("failed", None, None)),
    ("dimensions_in_32_bits", ("onnx-tile-13", "u8", [3, 1], [1, 2, 3], [1431655766, 2**17]), ("ok", "2,131072", None),
     ("ok", "2,131072", bytes(2**18))),
    ("accepts_boolean", ("openvino-tile-1", "u8", [2], [1, 2], [True], "boolean"), ("ok", "2", None), ("ok", "2", b"\1\2")),
    ("accepts_bf16_at_6", ("onnx-tile-6", "bf16", [1], [7], [2]), ("ok", "2", None), ("ok", "2", b"\7\0\7\0")),
    ("accepts_shorter_repeats", ("onnx-tile-13", "u8", [1, 2], [1, 2], [2]), ("ok", "1,4", None), ("ok", "1,4", b"\1\2\1\2")),
    ("refuses_non_utf8", ("onnx-tile-13", "string", [1], [b"\xff"], [2]), ("ok", "2", None), ("rejected", None, None)),
    ("lax_infer", ("onnx-tile-13", "u8", [2], [1, 2], [-1]), ("ok", "0", None), ("rejected", None, None)),
    ("lax_infer", OVERFLOW, ("ok", str(2**63 - 1), None), ("rejected", None, None)),
    ("no_memory_on_legal", ("openvino-tile-1", "u8", [65], [7] * 65, [1]), ("ok", "65", None), ("no_memory", None, None)),
]
# What each answers as the example does, so that it is wrong in one way alone.
RIGHT = [
    ("negative_is_one", ("onnx-tile-13", "u8", [2], [1, 2], [-1]), ("rejected", None, None)),
    ("accepts_boolean", ("onnx-tile-13", "u8", [2], [1, 2], [True], "boolean"), ("rejected", None, None)),
    ("accepts_bf16_at_6", ("onnx-tile-6", "u8", [1], [7], [-1]), ("rejected", None, None)),
    ("accepts_shorter_repeats", ("onnx-tile-13", "u8", [2], [1, 2], [1, 1]), ("rejected", None, None)),
    ("refuses_non_utf8", ("onnx-tile-13", "string", [2], [b"\0a", b""], [2]), ("ok", "4", content_of("string", [b"\0a", b""] * 2))),
    ("refuses_non_utf8", ("openvino-tile-1", "string", [1], [b"\xff"], [1]), ("ok", "1", content_of("string", [b"\xff"]))),
    ("no_memory_on_legal", ("openvino-tile-1", "u8", [64], [7] * 64, [1]), ("ok", "64", b"\7" * 64)),
    ("right", ("onnx-tile-13", "u8", [3, 1], [1, 2, 3], [1431655766, 2**17]), ("no_memory", None, None)),
    ("dimensions_in_32_bits", ("onnx-tile-13", "u8", [2], [1, 2], [2]), ("ok", "4", b"\1\2\1\2")),
    ("no_memory", ("onnx-tile-13", "u8", [2], [1, 2], [-1]), ("rejected", None, None)),
    ("failed", ("onnx-tile-13", "u8", [2], [1, 2], [-1]), ("rejected", None, None)),
    ("reversed", ("openvino-tile-1", "u8", [0], [], [2]), ("ok", "0", b"")),
    ("first", ("openvino-tile-1", "u8", [0, 2], [], [2, 1]), ("ok", "0,2", b"")),
    ("each", ("openvino-tile-1", "u8", [2, 0], [], [2, 1]), ("ok", "4,0", b"")),
]


class WrongWorkers(unittest.TestCase):
    def test_each_is_wrong_where_it_says_so_by_both_doors(self):
        for name, asked, inferred, run in WRONG:
            with self.subTest(name, asked=asked):
                found = answers(name, call("infer", *asked), call("run", *asked))
                self.assertEqual([said(each) for each in found], [inferred, run])

    def test_the_door_that_is_not_offered_changes_no_output(self):
        for name, asked, _, run in WRONG:
            with self.subTest(name, asked=asked):
                hello, ran = answers(name, message({"cmd": "hello", "seq": "1"}, {}), call("run", *asked), infer="no")
                self.assertEqual((hello[0]["infer"], hello[0]["name"]), ("no", "example-" + name))
                self.assertEqual(said(ran), run)

    def test_where_one_is_wrong_the_right_one_is_not(self):
        for name, asked, inferred, run in WRONG:
            with self.subTest(name, asked=asked):
                found = answers("right", call("infer", *asked), call("run", *asked))
                self.assertNotEqual([said(each) for each in found], [inferred, run])

    def test_each_is_right_elsewhere(self):
        for name, asked, run in RIGHT:
            with self.subTest(name, asked=asked):
                self.assertEqual(said(answers(name, call("run", *asked))[0]), run)

    def test_every_one_that_there_is_was_asked(self):
        self.assertEqual(set(wrong_workers.WRONG) - {"right"}, {name for name, *_ in WRONG})


if __name__ == "__main__":
    unittest.main()
