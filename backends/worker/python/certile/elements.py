"""Element types: certile's names, the arrays that hold them, and the packed bytes in which the narrow ones travel.

A type narrower than a byte travels as one stream of bits across the tensor and is in an array one element in a byte, in
its low bits. ml_dtypes has types for some of these; the others are arrays of uint8. The layouts are those of OpenVINO's
element types (element *k* begins at bit *k* times its width, counted from the low end of each byte, for u1 from the high
end) and are written down in the worker protocol, "A message".
"""
from __future__ import annotations

import sys
from typing import Any, Union

import numpy as np
import numpy.typing as npt

if sys.byteorder != "little":
    raise ImportError("certile's worker protocol is little-endian, and so has to be this computer")

_ml_dtypes: Any
try:
    import ml_dtypes as _ml_dtypes
except ImportError:  # then its types are available only as bytes
    _ml_dtypes = None

Array = npt.NDArray[Any]
Buffer = Union[bytes, bytearray, memoryview]

INTEGER_TYPES = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
"""The types that repeats and an axis may have."""

PACKED_BITS = {"u1": 1, "u2": 2, "u3": 3, "u4": 4, "u6": 6, "i4": 4, "nf4": 4, "f4e2m1": 4}
"""The width of each type that is narrower than a byte."""

_NUMPY = {"boolean": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8",
          "u16": "uint16", "u32": "uint32", "u64": "uint64", "f16": "float16", "f32": "float32", "f64": "float64",
          "c64": "complex64", "c128": "complex128", "string": "object"}
_ML_DTYPES = {"bf16": "bfloat16", "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "f8e8m0": "float8_e8m0fnu",
              "i4": "int4", "u4": "uint4", "u2": "uint2", "f4e2m1": "float4_e2m1fn"}

DTYPES: dict[str, np.dtype[Any]] = {
    **{ours: np.dtype(theirs) for ours, theirs in _NUMPY.items()},
    **{ours: np.dtype(getattr(_ml_dtypes, theirs)) for ours, theirs in _ML_DTYPES.items() if hasattr(_ml_dtypes, theirs)}}
"""The dtype of each element type that has one here; string is the dtype object, of bytes."""

IN_PLACE = {name: dtype for name, dtype in DTYPES.items() if name != "string" and name not in PACKED_BITS}
"""Those of DTYPES whose arrays have the very bytes that travel."""

BITS = {**{name: dtype.itemsize * 8 for name, dtype in IN_PLACE.items()}, **PACKED_BITS,
        "bf16": 16, "f8e4m3": 8, "f8e5m2": 8, "f8e8m0": 8}
"""The width of each type but string, with or without ml_dtypes."""

_TYPES = {dtype: name for name, dtype in DTYPES.items()}


def array_types() -> tuple[str, ...]:
    """Returns the element types that have an array dtype here, narrow ones if ml_dtypes is installed."""
    return tuple(DTYPES)


def dtype_of(name: str) -> np.dtype[Any]:
    """Returns the dtype of arrays of an element type; uint8 for u1 u3 u6 nf4, which have no dtype.

    Raises LookupError if only ml_dtypes has it and is missing or too old.
    """
    if name in DTYPES:
        return DTYPES[name]
    if name in PACKED_BITS and name not in _ML_DTYPES:
        return np.dtype(np.uint8)
    raise LookupError(f"no array holds {name} here: pip install 'certile[narrow]'" if name in _ML_DTYPES
                      else f"there is no element type {name}")


def type_of(array: Array, expected: str) -> str:
    """Returns the element type of an array; a dtype shared by several types is `expected` if it may be that.

    Raises TypeError if certile has no such type.
    """
    dtype = array.dtype
    try:
        if dtype is dtype_of(expected) or dtype == dtype_of(expected):
            return expected
    except LookupError:
        pass
    if dtype in _TYPES:
        return _TYPES[dtype]
    if dtype.kind in "SU":
        return "string"
    raise TypeError(f"the output is an array of {dtype}, which is no element type of certile")


def unpack_bits(content: Buffer, name: str, count: int) -> npt.NDArray[np.uint8]:
    """Returns `count` elements of the packed type `name`, one in the low bits of each byte: shape (count,).

    Raises ValueError if `content` is too short.
    """
    width, order = PACKED_BITS[name], _order(name)
    if len(content) * 8 < count * width:
        raise ValueError(f"{count} elements of {name} take {(count * width + 7) // 8} bytes, not {len(content)}")
    stream = np.unpackbits(np.frombuffer(content, np.uint8), count=count * width, bitorder=order)
    if width == 1:
        return stream
    return np.packbits(stream.reshape(count, width), axis=1, bitorder=order).reshape(count)


def pack_bits(elements: Array, name: str) -> bytes:
    """Returns the packed bytes of elements that have a byte each, whatever their shape; bits above the width are ignored."""
    width, order = PACKED_BITS[name], _order(name)
    flat = np.ascontiguousarray(elements).reshape(-1).view(np.uint8)
    bits = np.unpackbits(flat.reshape(-1, 1), axis=1, bitorder="little")[:, :width]
    return np.packbits(bits, bitorder=order).tobytes()


def _order(name: str) -> Any:
    return "big" if name == "u1" else "little"


def strings_from(content: Buffer, count: int) -> Array:
    """Returns `count` strings as an array of bytes objects, of shape (count,): `content` is u64 offsets, then the characters."""
    offsets = np.frombuffer(content, np.uint64, count + 1).tolist()
    characters = bytes(memoryview(content)[(count + 1) * 8:])
    array = np.empty(count, np.object_)
    array[:] = [characters[begin:end] for begin, end in zip(offsets, offsets[1:])]
    return array


def strings_to(array: Array) -> bytes:
    """Returns an array of bytes objects as it travels; a str travels as its UTF-8.

    Raises TypeError if an element is neither.
    """
    strings = [each.encode() if isinstance(each, str) else each for each in array.reshape(-1).tolist()]
    if not all(isinstance(each, bytes) for each in strings):
        raise TypeError("the output has elements that are neither bytes nor str")
    offsets = np.zeros(len(strings) + 1, np.uint64)
    np.cumsum([len(each) for each in strings], out=offsets[1:])
    return offsets.tobytes() + b"".join(strings)
