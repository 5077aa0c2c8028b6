"""What the adapters share: the worker protocol (../protocol.md) spoken for functions of a runtime.

An adapter says what it claims, and how a call is made; `serve` does the rest. Nothing here computes Tile, looks at the elements or
repairs a call. It needs NumPy; types narrower than NumPy's come from ml_dtypes where that is installed.
"""
import json
import os
import sys
import time
from typing import Callable, NamedTuple, Optional

answers = os.fdopen(os.dup(1), "wb")  # descriptor 1 belongs to the protocol; whatever prints, prints to stderr
os.dup2(2, 1)

import numpy as np  # noqa: E402, what it prints while it is loaded must not reach the protocol

BATCH = 512
INTEGERS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
            "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64}
WIDE = {"boolean": np.bool_, **INTEGERS, "f16": np.float16, "f32": np.float32, "f64": np.float64,
        "c64": np.complex64, "c128": np.complex128}
PACKED_BITS = {"i4": 4, "u2": 2, "u4": 4, "f4e2m1": 4}  # those that ml_dtypes has, an element in a byte


def _narrow_types():
    try:
        import ml_dtypes
    except ImportError:
        return {}
    names = {"bf16": "bfloat16", "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "f8e8m0": "float8_e8m0fnu", "i4": "int4",
             "u2": "uint2", "u4": "uint4", "f4e2m1": "float4_e2m1fn"}
    return {ours: getattr(ml_dtypes, theirs) for ours, theirs in names.items() if hasattr(ml_dtypes, theirs)}


# Strings are arrays of bytes objects. Where a runtime takes text alone, byte k goes as character k and comes back so: nothing is
# lost, and what is no UTF-8 can be asked as well.
DTYPES = {**WIDE, **_narrow_types()}


class Rejected(Exception):
    """The operator, as the runtime sees it, refuses this call."""


class Unsupported(Exception):
    """The runtime does not do this."""


class Operand(NamedTuple):
    """A tensor as it travels: dense bytes. `content` is empty where only the shape is asked."""
    type: str
    shape: list
    content: memoryview

    def array(self, text=False):
        """The elements as an array of NumPy: a copy, so that a runtime may write to it. Strings become bytes, or with `text` str."""
        if self.type == "string":
            return strings_from(self, text)
        if self.type not in DTYPES:
            raise Unsupported(f"there is no array of {self.type}")
        if self.type in PACKED_BITS:
            return unpacked(self).view(DTYPES[self.type]).reshape(self.shape)
        return np.frombuffer(bytearray(self.content), DTYPES[self.type]).reshape(self.shape)


class Call(NamedTuple):
    op: str
    data: Operand
    repeats: Operand
    axis: Optional[Operand]


def output(kind, array):
    """The Operand that an array is as an element type of certile."""
    array = np.asarray(array)
    if kind == "string":
        return Operand(kind, list(array.shape), strings_to(array))
    content = np.ascontiguousarray(array).reshape(-1)
    if kind in PACKED_BITS:
        return Operand(kind, list(array.shape), packed(content.view(np.uint8), PACKED_BITS[kind]))
    return Operand(kind, list(array.shape), memoryview(content.view(np.uint8)))


def unpacked(operand):
    """One byte for each element of a packed type, in its low bits."""
    bits, count = PACKED_BITS[operand.type], int(np.prod(operand.shape, dtype=np.int64))
    stream = np.unpackbits(np.frombuffer(operand.content, np.uint8), bitorder="little")[:count * bits]
    return np.packbits(stream.reshape(count, bits), axis=1, bitorder="little").reshape(-1)


def packed(elements, bits):
    """The packed bytes of elements that lie in the low bits of a byte each."""
    return np.packbits(np.unpackbits(elements.reshape(-1, 1), axis=1, bitorder="little")[:, :bits], bitorder="little").tobytes()


def strings_from(operand, text):
    count = int(np.prod(operand.shape, dtype=np.int64))
    offsets = np.frombuffer(operand.content, np.uint64, count + 1).tolist()
    characters = bytes(operand.content[(count + 1) * 8:])
    characters = characters.decode("latin-1") if text else characters
    array = np.empty(count, np.object_)
    array[:] = [characters[begin:end] for begin, end in zip(offsets, offsets[1:])]
    return array.reshape(operand.shape)


def strings_to(array):
    strings = [each.encode("latin-1") if isinstance(each, str) else each for each in array.reshape(-1).tolist()]
    offsets = np.zeros(len(strings) + 1, np.uint64)
    np.cumsum([len(each) for each in strings], out=offsets[1:])
    return offsets.tobytes() + b"".join(strings)


def serve(claim: dict, run: Callable[[Call], Operand], infer: Optional[Callable[[Call], list]] = None,
          prepare: Optional[Callable[[Call], Callable[[], object]]] = None):
    """Answers certile until it says bye.

    `claim` is the claim's words, with lists as Python's. What lies outside it is asked all the same, and the runtime says no itself;
    only what cannot be put to it at all is Unsupported. `prepare` makes all of a call ahead, its output bound in place where the
    runtime can, and returns what is timed; without it `run` is.
    """
    words = {name: " ".join(value) if isinstance(value, (list, tuple, dict)) else str(value) for name, value in claim.items()}
    hello = words | {"infer": "yes" if infer else "no", "batch": str(BATCH)}
    print(f"{hello['name']} {hello['version']}", file=sys.stderr)
    while (message := _read()) is not None:
        said, tensors = message
        _write(_answers(hello, run, infer, prepare, said, tensors))
        if said.get("cmd") == "bye":
            return


def _answers(hello, run, infer, prepare, said, tensors):
    """The words of the answer, and its tensors as (name, dtype, shape, bytes)."""
    if said.get("cmd") == "hello":
        return {"seq": said["seq"], "status": "ok", **hello}, []
    words, out = {"seq": said["seq"], "status": "ok"}, []
    keys = [f"{call}." for call in range(int(said.get("batch", 0)))] or ([""] if "op" in said else [])
    for key in keys:
        spoken, tensor = _answer(run, infer, prepare, said, tensors, key)
        words.update({key + name: word for name, word in spoken.items()})
        if tensor is not None:
            out.append((key + tensor[0], *tensor[1:]))
    return words, out


def _answer(run, infer, prepare, said, tensors, key):
    command = said[key + "cmd"]
    call = Call(said[key + "op"], *(_operand(said, tensors, key + name) for name in ("data", "repeats", "axis")))
    try:
        if command == "infer":
            return {"status": "ok", "shape": ",".join(map(str, infer(call)))}, None
        if command == "time":
            nanoseconds = _timed(prepare(call) if prepare else lambda: run(call), int(said["repetitions"]))
            return {"status": "ok"}, ("nanoseconds", "I64", [len(nanoseconds)], memoryview(nanoseconds).cast("B"))
        made = run(call)
        words = {"status": "ok", "out.type": made.type, "out.shape": ",".join(map(str, made.shape))}
        return words, ("out", "U8", [len(made.content)], made.content)
    except Unsupported as why:
        return {"status": "unsupported", "why": str(why)}, None
    except Rejected as why:
        return {"status": "rejected", "why": str(why)[:2000]}, None
    except MemoryError as why:
        return {"status": "no_memory", "why": str(why)[:2000]}, None
    except Exception as why:  # pylint: disable=broad-except, whatever else goes wrong is no refusal
        return {"status": "failed", "why": f"{type(why).__name__}: {why}"[:2000]}, None


def _operand(said, tensors, name):
    if name + ".type" not in said:
        return None
    shape = [int(size) for size in said[name + ".shape"].split(",") if size]
    return Operand(said[name + ".type"], shape, tensors.get(name, memoryview(b"")))


def _timed(call, repetitions):
    """Nanoseconds of each of so many calls, after one that is not counted."""
    call()
    nanoseconds = np.empty(repetitions, np.int64)
    for turn in range(repetitions):
        start = time.perf_counter_ns()
        made = call()
        nanoseconds[turn] = time.perf_counter_ns() - start
        del made  # not within the time of the next call
    return nanoseconds


def _read():
    length = sys.stdin.buffer.read(8)
    if len(length) < 8:
        return None
    header = json.loads(sys.stdin.buffer.read(int.from_bytes(length, "little")))
    words = header.pop("__metadata__")
    body = memoryview(sys.stdin.buffer.read(max([each["data_offsets"][1] for each in header.values()], default=0)))
    return words, {name: body[slice(*each["data_offsets"])] for name, each in header.items()}


def _write(answer):
    words, tensors = answer
    header, at = {"__metadata__": words}, 0
    for name, dtype, shape, content in tensors:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(content)]}
        at += len(content)
    text = json.dumps(header).encode()
    answers.write(len(text).to_bytes(8, "little") + text)
    answers.writelines(content for *_, content in tensors)
    answers.flush()
