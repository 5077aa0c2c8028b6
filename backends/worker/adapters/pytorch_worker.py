"""PyTorch as a worker, held against openvino-tile-1, which comes closest: both of its functions promote.

    pytorch_worker.py           torch.tile
    pytorch_worker.py repeat    Tensor.repeat, which promotes only data and refuses fewer repeats than dimensions
    pytorch_worker.py cuda      torch.tile on a GPU; before and after, the elements are copied

Repeats are passed as Python's integers, which both functions take; so only i64 is claimed for them. What PyTorch raises is a
refusal. It has no shape inference on the CPU without computing.
"""
import sys

from adapting import Operand, Unsupported, refusal, serve

import torch

TYPES = {"boolean": "bool", "u8": "uint8", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u16": "uint16", "u32": "uint32",
         "u64": "uint64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64",
         "c128": "complex128", "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "f8e8m0": "float8_e8m0fnu"}
TYPES = {ours: getattr(torch, theirs) for ours, theirs in TYPES.items() if hasattr(torch, theirs)}

repeating = "repeat" in sys.argv[1:]
device = "cuda" if "cuda" in sys.argv[1:] else "cpu"
torch.set_num_threads(1)


def tensor(operand):
    if operand.type not in TYPES:
        raise Unsupported(f"PyTorch has no type {operand.type}")
    if not operand.content:
        return torch.empty(operand.shape, dtype=TYPES[operand.type], device=device)
    return torch.frombuffer(bytearray(operand.content), dtype=TYPES[operand.type]).reshape(operand.shape).to(device)


def content(made):
    """Returns a tensor's bytes, whatever its type; NumPy has only some of the types."""
    if made.numel() == 0:
        return b""
    return made.contiguous().reshape(-1).view(torch.uint8).cpu().numpy().tobytes()


def computed(made):
    """Returns a tensor whose elements are there: a GPU still computes when the function that asked it returns."""
    if device == "cuda":
        torch.cuda.synchronize()
    return made


def prepare(call):
    data, repeats = tensor(call.data), call.repeats.array().tolist()
    tile = (lambda: computed(data.repeat(repeats))) if repeating else (lambda: computed(torch.tile(data, repeats)))
    return tile, lambda made: Operand(call.data.type, list(made.shape), content(made))


def run(call):
    tile, output = prepare(call)
    try:
        made = tile()
    except Exception as why:
        raise refusal(why) from why
    return output(made)


serve(run, prepare=prepare, name="pytorch" + ("-repeat" if repeating else "") + ("-cuda" if device == "cuda" else ""),
      version=f"{torch.__version__} ({device})",
      operators=["openvino-tile-1"], types=list(TYPES), repeats_types=["i64"], issues="https://github.com/pytorch/pytorch/issues")
