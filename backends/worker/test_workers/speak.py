"""The protocol for the workers of the tests: read_message, write_message, and a right answer to every call."""
import io
import json
import os
import sys
import time

answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
HELLO = {"status": "ok", "name": "wrong", "version": "1", "operators": "openvino-tile-1", "types": "f32 i64 u8",
         "repeats_types": "i64", "infer": "yes"}


def read_message(stream=sys.stdin.buffer):
    """Returns the words of the next message, and its tensors' bytes; ends the program if there is none."""
    length = stream.read(8)
    if len(length) < 8:
        sys.exit(0)
    header = json.loads(stream.read(int.from_bytes(length, "little")))
    words = header.pop("__metadata__")
    body = stream.read(max([each["data_offsets"][1] for each in header.values()], default=0))
    return words, {name: body[slice(*each["data_offsets"])] for name, each in header.items()}


def read_message_and_drop_the_rest():
    """The same of a worker that takes all that has come for one message, after a while."""
    time.sleep(0.05)
    return read_message(io.BytesIO(os.read(0, 1 << 20)))


def message(words, tensors):
    """Returns the bytes of a message; tensors are (dtype, shape, bytes) by name."""
    header, body = {"__metadata__": words}, b""
    for name, (dtype, shape, content) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(body), len(body) + len(content)]}
        body += content
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def write(content):
    answers.write(content)
    answers.flush()


def right_answer(words, tensors):
    """Returns the words and the tensors of the right answer to one call, without sequence number."""
    repeats = [int.from_bytes(tensors["repeats"][start:start + 8], "little", signed=True)
               for start in range(0, len(tensors["repeats"]), 8)]
    shape = [int(size) for size in words["data.shape"].split(",") if size]
    rank = max(len(shape), len(repeats))
    shape = [1] * (rank - len(shape)) + shape
    repeats = [1] * (rank - len(repeats)) + [max(count, 0) for count in repeats]
    out = [size * count for size, count in zip(shape, repeats)]
    if words["cmd"] == "infer":
        return {"status": "ok", "shape": ",".join(map(str, out))}, {}
    data, width = tensors["data"], int(words["element_bits"]) // 8
    for size, count in zip(reversed(shape), reversed(repeats)):
        width *= size
        data = b"".join(data[start:start + width] * count for start in range(0, len(data), width or 1))
        width *= count
    said = {"status": "ok", "out.type": words["data.type"], "out.shape": ",".join(map(str, out))}
    return said, {"out": ("U8", [len(data)], data)}
