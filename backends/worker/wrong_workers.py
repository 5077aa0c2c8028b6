"""A worker that is wrong in one known way, to see how certile reports it: wrong_workers.py NAME [--infer yes|no]

Each is example.py, in the same folder, with one of its steps replaced; NAME is one of the functions below. With
`--infer no` the same implementation does not offer to infer shapes, so certile sees its shapes only in its outputs.
"""
import argparse
import ast
import math
import pathlib
import struct
from collections.abc import Callable
from typing import Any

FILE = pathlib.Path(__file__).resolve().with_name("example.py")
*steps, dialogue = ast.parse(FILE.read_text("utf-8"), str(FILE)).body
# The names of example.py; its dialogue calls the functions that are stored here.
example: dict[str, Any] = {"__name__": "example"}
WRONG: dict[str, Callable[[], None]] = {}


def execute(statements):
    exec(compile(ast.Module(statements, []), FILE, "exec"), example)


def wrong(replace):
    """Registers a function that replaces one step of the example, by its name."""
    WRONG[replace.__name__] = replace
    return replace


def replaces(step):
    """Registers a function whose first parameter is the right step, as its replacement."""
    def registered(function):
        def replace():
            right = example[step]
            example[step] = lambda *given: function(right, *given)
        replace.__name__, replace.__doc__ = function.__name__.rstrip("_"), function.__doc__
        wrong(replace)
        return function
    return registered


@wrong
def right():
    """Replaces nothing: the control."""


# Elements.

@replaces("tile")
def each(_, data, width, shape, repeats):
    """Puts the copies of every element next to it, as numpy.repeat does."""
    for size, count in zip(reversed(shape), reversed(repeats)):
        data = b"".join([data[start:start + width] * count for start in range(0, len(data), width)])
        width *= size * count or 1
    return data


@replaces("tile")
def reversed_(tile, data, width, shape, repeats):
    """Gives the elements of the output in reverse order."""
    out = tile(data, width, shape, repeats)
    return b"".join([out[start:start + width] for start in range(len(out) - width, -1, -width)])


@replaces("tile")
def first(tile, data, width, shape, repeats):
    """Gives the first element everywhere."""
    return data[:width] * (len(tile(data, width, shape, repeats)) // width)


@replaces("tile")
def zeros(tile, *given):
    """Gives zeros everywhere."""
    return bytes(len(tile(*given)))


# Shapes.

@replaces("promote")
def negative_is_one(promote, op, shape, dims, kind, repeats):
    """Treats a negative repeat as 1, in openvino-tile-1; the ONNX operators refuse it."""
    return promote(op, shape, dims, kind, [1 if count < 0 and op == "openvino-tile-1" else count for count in repeats])


@replaces("promote")
def zero_is_one(promote, op, shape, dims, kind, repeats):
    """Treats a repeat of 0 as 1."""
    return promote(op, shape, dims, kind, [1 if count == 0 else count for count in repeats])


# Refusals.

def says_instead(status, said, content):
    """Returns the status instead of a refusal of an output that is too large; anything else unchanged."""
    return ({**said, "status": status} if "too large" in said.get("why", "") else said), content


@replaces("answer")
def no_memory(answer, *given):
    """Reports a lack of memory if a size overflows."""
    return says_instead("no_memory", *answer(*given))


@replaces("answer")
def failed(answer, *given):
    """Reports a failure if a size overflows."""
    return says_instead("failed", *answer(*given))


@wrong
def dimensions_in_32_bits():
    """Keeps the dimensions of the output in 32 bits, in which they wrap around."""
    promote, tile = example["promote"], example["tile"]

    def wrapped(*given):
        shape, repeats, out = promote(*given)
        return shape, repeats, [size % 2**32 for size in out]

    def cut(data, width, shape, repeats):
        out = [size * count for size, count in zip(shape, repeats)]
        if max(out, default=0) < 2**32:
            return tile(data, width, shape, repeats)
        return bytes(width * math.prod(size % 2**32 for size in out))

    example.update(promote=wrapped, tile=cut)


@wrong
def accepts_boolean():
    """Takes boolean repeats in openvino-tile-1, which it does not claim."""
    example["INTEGERS"]["boolean"] = "?"


@wrong
def accepts_bf16_at_6():
    """Also claims onnx-tile-6, and accepts bf16 there, which came with version 13."""
    example["OPERATORS"].append("onnx-tile-6")
    example["HELLO"]["operators"] += " onnx-tile-6"


@replaces("promote")
def accepts_shorter_repeats(promote, op, shape, dims, kind, repeats):
    """Accepts fewer repeats than dimensions in onnx-tile-13, and promotes them with ones as openvino-tile-1 does."""
    missing = len(shape) - len(repeats) if op != "openvino-tile-1" and len(dims) == 1 else 0
    return promote(op, shape, dims, kind, [1] * missing + repeats)


def strings_of(content, count):
    offsets = struct.unpack_from(f"<{count + 1}Q", content)
    characters = content[8 * (count + 1):]
    return [characters[begin:end] for begin, end in zip(offsets, offsets[1:])]


def content_of(strings):
    offsets = [0]
    for string in strings:
        offsets.append(offsets[-1] + len(string))
    return struct.pack(f"<{len(offsets)}Q", *offsets) + b"".join(strings)


def is_utf_8(string):
    try:
        string.decode()
    except UnicodeDecodeError:
        return False
    return True


def answer_with_strings(answer, words, tensors):
    """Returns the example's answer, strings included: the numbers of the elements are tiled in their place."""
    if words["data.type"] != "string" or words["cmd"] == "infer":
        return answer(words, tensors)
    count = math.prod(int(size) for size in words["data.shape"].split(",") if size)
    strings = strings_of(tensors["data"], count)
    if words["op"] != "openvino-tile-1" and not all(map(is_utf_8, strings)):
        return {"status": "rejected", "why": "a string is not UTF-8"}, None
    numbers = struct.pack(f"<{count}I", *range(count))
    said, order = answer({**words, "element_bits": "32"}, {**tensors, "data": numbers})
    return said, None if order is None else content_of([strings[number] for number, in struct.iter_unpack("<I", order)])


@wrong
def refuses_non_utf8():
    """Also claims strings, and refuses those that are not UTF-8 in onnx-tile-13."""
    answer = example["answer"]
    example["TYPES"].append("string")
    example["HELLO"]["types"] += " string"
    example["answer"] = lambda *given: answer_with_strings(answer, *given)


# Inference and computation.

def lax_shape(words, tensors):
    """Returns a shape for every call: promoted, negative repeats as 0, sizes cut to fit."""
    shape = [int(size) for size in words["data.shape"].split(",") if size]
    format_ = "<" + example["INTEGERS"][words["repeats.type"]]
    repeats = [max(count, 0) for count, in struct.iter_unpack(format_, tensors["repeats"])]
    rank = max(len(shape), len(repeats))
    shape, repeats = [1] * (rank - len(shape)) + shape, [1] * (rank - len(repeats)) + repeats
    return [min(size * count, 2**63 - 1) for size, count in zip(shape, repeats)]


@replaces("answer")
def lax_infer(answer, words, tensors):
    """Infers a shape where it must refuse; its computation is right, refusals included."""
    said, content = answer(words, tensors)
    if words["cmd"] == "infer" and said["status"] == "rejected":
        return {"status": "ok", "shape": ",".join(map(str, lax_shape(words, tensors)))}, None
    return said, content


@replaces("answer")
def no_memory_on_legal(answer, words, tensors):
    """Reports a lack of memory for an output of more than 64 elements."""
    said, content = answer(words, tensors)
    if content is not None and math.prod(int(size) for size in said["out.shape"].split(",") if size) > 64:
        return {"status": "no_memory", "why": "the output has more than 64 elements"}, None
    return said, content


if __name__ == "__main__":
    parser = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__.split("\n", maxsplit=1)[0],
                                     epilog="\n".join(f"{name}: {replace.__doc__}" for name, replace in WRONG.items()))
    parser.add_argument("name", choices=WRONG, metavar="NAME")
    parser.add_argument("--infer", choices=("yes", "no"), default="yes")
    chosen = parser.parse_args()
    execute(steps)
    WRONG[chosen.name]()
    example["HELLO"].update(name="example-" + chosen.name, infer=chosen.infer)
    execute([dialogue])
