"""NumPy's tile as a worker: certile certify 'worker:python3 numpy_worker.py'   (needs numpy; takes ml_dtypes where it is there)

It is held against openvino-tile-1, which comes closest: both promote data and repeats to the longer of the two. Nothing is done on
NumPy's behalf: data and repeats are handed to numpy.tile as arrays of their own types, and what it raises is a rejection. So where
NumPy differs from the operator, that shows: a scalar as repeats is taken, a negative repeat is refused, and sizes are multiplied in
the type of the repeats. NumPy has no shape inference. Types narrower than a byte are not claimed, since NumPy keeps each element of
them in a byte.
"""
import json
import os
import sys
import time
import warnings

answers = os.fdopen(os.dup(1), "wb")  # descriptor 1 belongs to the protocol; whatever prints, prints to stderr
os.dup2(2, 1)

import numpy as np  # noqa: E402, what it prints while it is loaded must not reach the protocol

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

INTEGERS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
            "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64}
TYPES = {"boolean": np.bool_, **INTEGERS, "f16": np.float16, "f32": np.float32, "f64": np.float64,
         "c64": np.complex64, "c128": np.complex128, "string": np.object_}
if ml_dtypes is not None:
    TYPES |= {"bf16": ml_dtypes.bfloat16, "f8e4m3": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2}
    if hasattr(ml_dtypes, "float8_e8m0fnu"):
        TYPES["f8e8m0"] = ml_dtypes.float8_e8m0fnu

MAX_RANK = 64 if int(np.__version__.split(".")[0]) >= 2 else 32
HELLO = {"name": "numpy", "version": np.__version__, "operators": "openvino-tile-1", "types": " ".join(TYPES),
         "repeats_types": " ".join(INTEGERS), "max_rank": str(MAX_RANK), "infer": "no", "batch": "512",
         "issues": "https://github.com/numpy/numpy/issues"}


def from_bytes(kind, shape, content):
    """The array of this type and shape; strings become an array of bytes objects."""
    if kind != "string":
        return np.frombuffer(content, TYPES[kind]).reshape(shape)
    count = int(np.prod(shape, dtype=np.int64))
    offsets = np.frombuffer(content, np.uint64, count + 1)
    characters = content[(count + 1) * 8:]
    array = np.empty(count, np.object_)
    array[:] = [bytes(characters[int(begin):int(end)]) for begin, end in zip(offsets, offsets[1:])]
    return array.reshape(shape)


def to_bytes(kind, array):
    """What travels of an array, as a buffer of bytes."""
    if kind != "string":
        return memoryview(np.ascontiguousarray(array).reshape(-1).view(np.uint8))
    strings = array.reshape(-1).tolist()
    offsets = np.zeros(len(strings) + 1, np.uint64)
    np.cumsum([len(each) for each in strings], out=offsets[1:])
    return offsets.tobytes() + b"".join(strings)


def shape_of(words, name):
    return [int(size) for size in words[name + ".shape"].split(",") if size]


def repeated(tile, data, repeats, repetitions):
    """Nanoseconds of each of so many calls."""
    nanoseconds = np.empty(repetitions, np.int64)
    for turn in range(repetitions):
        start = time.perf_counter_ns()
        output = tile(data, repeats)
        nanoseconds[turn] = time.perf_counter_ns() - start
        del output  # not within the time of the next call
    return nanoseconds


def answer(words, tensors, key):
    """The words that answer one call, and its tensor as (name, dtype, shape, buffer)."""
    op, kind, repeats_kind = (words[key + name] for name in ("op", "data.type", "repeats.type"))
    if op != "openvino-tile-1" or kind not in TYPES or repeats_kind not in INTEGERS or words[key + "cmd"] == "infer":
        return {"status": "unsupported", "why": "not claimed"}, None
    try:
        data = from_bytes(kind, shape_of(words, key + "data"), tensors[key + "data"])
        repeats = from_bytes(repeats_kind, shape_of(words, key + "repeats"), tensors[key + "repeats"])
        if words[key + "cmd"] == "time":
            nanoseconds = repeated(np.tile, data, repeats, int(words["repetitions"]))
            return {"status": "ok"}, ("nanoseconds", "I64", [len(nanoseconds)], memoryview(nanoseconds).cast("B"))
        output = np.tile(data, repeats)
    except MemoryError as why:
        return {"status": "no_memory", "why": str(why)}, None
    except (ValueError, TypeError, OverflowError, IndexError) as why:
        return {"status": "rejected", "why": str(why)}, None
    content = to_bytes(kind, output)
    return {"status": "ok", "out.type": kind, "out.shape": ",".join(map(str, output.shape))}, \
        ("out", "U8", [len(content)], content)


def read_message():
    """The words of the next message and its tensors' bytes; nothing where there is none."""
    length = sys.stdin.buffer.read(8)
    if len(length) < 8:
        return None, None
    header = json.loads(sys.stdin.buffer.read(int.from_bytes(length, "little")))
    words = header.pop("__metadata__")
    body = memoryview(sys.stdin.buffer.read(max([each["data_offsets"][1] for each in header.values()], default=0)))
    return words, {name: body[slice(*each["data_offsets"])] for name, each in header.items()}


def main():
    warnings.simplefilter("ignore")  # of overflow: what comes of it shows in the answer
    while True:
        words, tensors = read_message()
        if words is None:
            return
        said, header, contents, at = {"seq": words["seq"], "status": "ok"}, {}, [], 0
        if words.get("cmd") == "hello":
            said.update(HELLO)
        keys = [f"{call}." for call in range(int(words.get("batch", 0)))]
        for key in keys or ([""] if "op" in words else []):
            spoken, tensor = answer(words, tensors, key)
            said.update({key + name: word for name, word in spoken.items()})
            if tensor is not None:
                name, dtype, shape, content = tensor
                header[key + name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(content)]}
                contents.append(content)
                at += len(content)
        text = json.dumps({"__metadata__": said, **header}).encode()
        answers.write(len(text).to_bytes(8, "little") + text)
        answers.writelines(contents)
        answers.flush()
        if words.get("cmd") == "bye":
            return


if __name__ == "__main__":
    main()
