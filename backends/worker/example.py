"""A worker that needs Python alone; protocol.md specifies the messages.  certile certify 'worker:python3 example.py'"""
import json, math, os, struct, sys
read, answers = sys.stdin.buffer.read, os.fdopen(os.dup(1), "wb")  # descriptor 1 belongs to the protocol ...
os.dup2(2, 1)  # ... and whatever prints, prints to stderr
INTEGERS = {"i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "u16": "H", "u32": "I", "u64": "Q"}
TYPES = [*INTEGERS, "boolean", "bf16", "f16", "f32", "f64", "c64", "c128"]
OPERATORS = ["openvino-tile-1", "onnx-tile-13"]
HELLO = {"name": "example", "version": "1", "operators": " ".join(OPERATORS), "types": " ".join(TYPES),
         "repeats_types": " ".join(INTEGERS), "infer": "yes"}

def promote(op, shape, dims, kind, repeats):  # data's shape, repeats and output's shape, of equal length
    fitting = op == "openvino-tile-1" or (kind == "i64" and len(repeats) == len(shape) and min(repeats, default=0) >= 0)
    if len(dims) != 1 or not fitting:
        raise ValueError("repeats is no vector, or for ONNX not one i64 for each dimension, 0 or more")
    if op == "openvino-tile-1":
        rank = max(len(shape), len(repeats))
        shape = [1] * (rank - len(shape)) + shape
        repeats = [1] * (rank - len(repeats)) + [max(count, 0) for count in repeats]
    out = [size * count for size, count in zip(shape, repeats)]
    if max(out, default=0) >= 2**63 or (0 not in out and math.prod(out) >= 2**63):
        raise ValueError("the output is too large")
    return shape, repeats, out

def tile(data, width, shape, repeats):  # each block of bytes is repeated, innermost axis first
    for size, count in zip(reversed(shape), reversed(repeats)):
        width *= size
        data = b"".join([data[start:start + width] * count for start in range(0, len(data), width or 1)])
        width *= count
    return data

def answer(words, tensors):  # the words that answer a call, and the output's bytes
    op, kind, repeats_kind = (words[name] for name in ("op", "data.type", "repeats.type"))
    if op not in OPERATORS or kind not in TYPES or repeats_kind not in INTEGERS:
        return {"status": "unsupported", "why": "not claimed"}, None
    shape, dims = ([int(size) for size in words[name].split(",") if size] for name in ("data.shape", "repeats.shape"))
    repeats = [count for count, in struct.iter_unpack("<" + INTEGERS[repeats_kind], tensors["repeats"])]
    try:
        shape, repeats, out = promote(op, shape, dims, repeats_kind, repeats)
        said = {"status": "ok", "shape": ",".join(map(str, out)), "out.type": kind, "out.shape": ",".join(map(str, out))}
        infers = words["cmd"] == "infer"
        return said, None if infers else tile(tensors["data"], int(words["element_bits"]) // 8, shape, repeats)
    except ValueError as why:
        return {"status": "rejected", "why": str(why)}, None
    except MemoryError:
        return {"status": "no_memory", "why": "the output is too large for this machine"}, None

while length := read(8):
    header = json.loads(read(int.from_bytes(length, "little")))
    words = header.pop("__metadata__")
    body = read(max([tensor["data_offsets"][1] for tensor in header.values()], default=0))
    tensors = {name: body[slice(*tensor["data_offsets"])] for name, tensor in header.items()}
    said, reply, output = {"seq": words["seq"], "status": "ok", **(HELLO if words.get("cmd") == "hello" else {})}, {}, None
    if "op" in words:
        spoken, output = answer(words, tensors)
        said.update(spoken)
    if output is not None:
        reply["out"] = {"dtype": "U8", "shape": [len(output)], "data_offsets": [0, len(output)]}
    text = json.dumps({"__metadata__": said, **reply}).encode()
    answers.write(len(text).to_bytes(8, "little") + text + (output or b""))
    answers.flush()
