#!/usr/bin/env python3
"""Has a runtime's adapter time calls whose outputs take from 1 byte to 64 MiB, and looks at what the timed calls computed.

    timing_test.py ROOT NAME        exit code 77, with the reason, where the runtime cannot be asked: skipped

Before each call other data of the same shape is computed, so that an output which was left over is not taken for an answer. The
worker itself compares what the timed calls gave with what `run` gives; that is compared with the right bytes here.
"""
import json
import shlex
import struct
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
FORMATS = {"u8": "B", "i64": "q", "f32": "f", "f16": "e"}
REPETITIONS = 3
# The data's shape and the repeats, by the number of elements of the output.
SHAPES = {1: ([1], [1]), 64: ([2, 4], [4, 2]), 4 << 10: ([32, 8], [4, 4]), 1 << 20: ([256, 64], [8, 8]),
          16 << 20: ([1024, 512], [4, 8]), 64 << 20: ([2048, 2048], [4, 4])}
LARGE, LARGEST = 16 << 20, 64 << 20  # bytes
BYTES_PER_NANOSECOND = 250  # more than any one processor writes
NOT_ASKED = {"openvino-narrow": "the plugin writes beside its buffers with these types",
                "openvino-template": "OpenVINO's wheel lacks the TEMPLATE plugin"}


class Worker:
    """The adapter as a process, and the dialogue with it."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert self.process.stdin and self.process.stdout
        self.questions, self.answers = self.process.stdin, self.process.stdout

    def ask(self, words, tensors):
        """The words and the tensors of the answer; None where the worker ended instead."""
        header, offset = {"__metadata__": {"seq": "1", **words}}, 0
        for name, content in tensors.items():
            header[name] = {"dtype": "U8", "shape": [len(content)], "data_offsets": [offset, offset + len(content)]}
            offset += len(content)
        text = json.dumps(header).encode()
        try:
            self.questions.write(b"".join([len(text).to_bytes(8, "little"), text, *tensors.values()]))
            self.questions.flush()
        except BrokenPipeError:
            return None
        length = self.answers.read(8)
        if len(length) < 8:
            return None
        header = json.loads(self.answers.read(int.from_bytes(length, "little")))
        words = header.pop("__metadata__")
        body = self.answers.read(max([each["data_offsets"][1] for each in header.values()], default=0))
        return words, {name: memoryview(body)[slice(*each["data_offsets"])] for name, each in header.items()}

    def last_words(self):
        said = self.process.communicate()[1].decode(errors="replace")
        return f"the worker ended with code {self.process.returncode}: {said[-500:]}"


def right_output(data, width, shape, repeats):
    """The bytes of a call of as many repeats as dimensions: each block is repeated, innermost axis first."""
    for size, count in zip(reversed(shape), reversed(repeats)):
        width *= size
        data = b"".join([data[start:start + width] * count for start in range(0, len(data), width)])
        width *= count
    return data


def data_of(kind, shape, first):
    """Small whole numbers, which a runtime that computes a type by another one keeps: first, first + 1, …"""
    count = shape[0] * (shape[1] if len(shape) > 1 else 1)
    numbers = [(first + number) % 113 for number in range(113)]
    content = struct.pack(f"<113{FORMATS[kind]}", *numbers)
    width = len(content) // 113
    return (content * (count // 113 + 1))[:count * width], width


def problem_with(worker, operator, kind, shape, repeats):
    """Returns the fault in the times of this call, or None."""
    words = {"op": operator, "data.type": kind, "data.shape": ",".join(map(str, shape)), "repeats.type": "i64",
             "repeats.shape": str(len(repeats))}
    counts = struct.pack(f"<{len(repeats)}q", *repeats)
    other, width = data_of(kind, shape, 50)
    data, _ = data_of(kind, shape, 1)
    words["element_bits"] = str(8 * width)
    due = right_output(data, width, shape, repeats)
    asked = [({"cmd": "run"}, other), ({"cmd": "time", "repetitions": str(REPETITIONS)}, data), ({"cmd": "run"}, data)]
    for number, (command, content) in enumerate(asked):
        answer = worker.ask({**words, **command}, {"data": content, "repeats": counts})
        if answer is None:
            return f"{command['cmd']}: {worker.last_words()}"
        said, tensors = answer
        if said["status"] != "ok":
            return f"{command['cmd']}: {said['status']}: {said.get('why')}"
        if number == 1:
            times = sorted(struct.unpack(f"<{REPETITIONS}q", tensors["nanoseconds"]))
            if times[0] <= len(due) // BYTES_PER_NANOSECOND - 100:
                return f"time: {times[0]} ns for {len(due)} bytes, which were not written in that time"
            print(f"  {kind}[{words['data.shape']}] x {repeats}: {len(due)} bytes, {times[REPETITIONS // 2]} ns", flush=True)
    if bytes(tensors["out"]) != due:
        return "run: the bytes are not right"
    return None


def skipped(why):
    print("skipped: " + why)
    return SKIPPED


def main(root, name):
    table = Path(root, "backends/worker/adapters/adapters.txt").read_text("utf-8").splitlines()
    environment, script, *words = next(line.split()[2:] for line in table if line.split()[:2] == ["adapter", name])
    if name in NOT_ASKED:
        return skipped(NOT_ASKED[name])
    folder = Path(root, "build", "environments", environment)
    if not (folder / "installed").is_file():
        return skipped(f"./dev certify {name} would make {folder}")
    command = shlex.join([str(folder / "bin/python"), "-B", str(Path(root, "backends/worker/adapters", script)), *words])
    worker = Worker("exec " + command)
    hello = worker.ask({"cmd": "hello", "protocol": "1"}, {})
    if hello is None:
        print(worker.last_words())
        return 1
    operator = hello[0]["operators"].split()[0]
    problems = asked = 0
    for kind in [each for each in FORMATS if each in hello[0]["types"].split()]:
        for elements, (shape, repeats) in SHAPES.items():
            size = elements * struct.calcsize(FORMATS[kind])
            if size > LARGEST or (size >= LARGE and kind not in ("u8", "f32")):
                continue
            asked += 1
            if problem := problem_with(worker, operator, kind, shape, repeats):
                problems += 1
                print(f"{operator} {kind}{shape} x {repeats}: {problem}")
                if worker.process.poll() is not None:
                    worker = Worker("exec " + command)
    if worker.ask({"cmd": "bye"}, {}) is None:
        print(worker.last_words())
        problems += 1
    worker.process.communicate()
    print(f"{name}: {asked} calls timed, {problems} problems")
    return 1 if problems or asked < len(SHAPES) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
