"""A call as a backend receives it, and its tensors."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .elements import BITS, IN_PLACE, PACKED_BITS, Array, Buffer, dtype_of, pack_bits, strings_from, strings_to, type_of, unpack_bits
from .errors import Unsupported


class Operand:
    """A tensor as it travels: `type`, one of certile's names; `shape`; and `content`, its dense bytes.

    The bytes are those of the worker protocol: packed types packed, strings as offsets and characters. If only the
    output's shape is requested, `content` of the data is empty.
    """
    __slots__ = ("type", "shape", "content", "_array")

    def __init__(self, type: str, shape: Sequence[int], content: Buffer) -> None:  # pylint: disable=redefined-builtin
        self.type = type
        self.shape: tuple[int, ...] = tuple(shape)
        self.content = content
        self._array: Array | None = None

    def array(self) -> Array:
        """Returns the elements as a writable array of this shape, in place if they are aligned, the same one each time.

        Strings are bytes objects; each element of a type narrower than a byte has a byte (see `certile.elements`). Raises
        Unsupported if no array holds the type or the shape here: NumPy refuses a shape without elements if the other
        dimensions multiply to more than it counts.
        """
        made = self._array
        if made is None:
            dtype = IN_PLACE.get(self.type)
            if dtype is None:
                made = self._converted()
            else:
                made = np.frombuffer(self.content, dtype)
                if not made.flags.carray:  # a batch packs its tensors without gaps
                    made = made.copy()
            if made.shape != self.shape:
                try:
                    made = made.reshape(self.shape)
                except ValueError as why:
                    raise Unsupported(f"NumPy has no array of this shape: {why}") from why
            self._array = made
        return made

    def _converted(self) -> Array:
        count = math.prod(self.shape)
        if self.type == "string":
            return strings_from(self.content, count)
        try:
            dtype = dtype_of(self.type)
        except LookupError as why:
            raise Unsupported(str(why)) from why
        return unpack_bits(self.content, self.type, count).view(dtype)

    def __repr__(self) -> str:
        return f"Operand({self.type}[{','.join(map(str, self.shape))}], {len(self.content)} bytes)"


class Call:
    """One request: `operator` ("openvino-tile-1", …) of `data`, `repeats` and, for onnx-tile-1 alone, `axis`.

    `element_bits` is the width of an element of the data; 0 if only the shape is requested.
    """
    __slots__ = ("operator", "data", "repeats", "axis", "element_bits")

    def __init__(self, operator: str, data: Operand, repeats: Operand, axis: Operand | None = None,
                 element_bits: int = 0) -> None:
        self.operator = operator
        self.data = data
        self.repeats = repeats
        self.axis = axis
        self.element_bits = element_bits

    def __repr__(self) -> str:
        return f"Call({self.operator}, {self.data}, {self.repeats}, {self.axis})"


def operand_from(made: Any, expected: str) -> Operand:
    """Returns the output of a backend as it travels: an Operand unchanged, anything else as the array that NumPy makes of it.

    The element type is the array's, `expected` if that dtype is shared by several types (uint8 for u1 u3 u6 nf4). Raises
    TypeError if certile has no such type, and ValueError if an Operand's bytes are not those of its type and shape.
    """
    if isinstance(made, Operand):
        return _checked(made)
    array = made if type(made) is np.ndarray else np.asarray(made)  # pylint: disable=unidiomatic-typecheck
    name = expected if array.dtype is IN_PLACE.get(expected) else type_of(array, expected)
    if name == "string":
        return Operand(name, array.shape, strings_to(array))
    if name in PACKED_BITS:
        return Operand(name, array.shape, pack_bits(array, name))
    if array.nbytes <= 4096:
        return Operand(name, array.shape, array.tobytes())  # faster for small arrays
    return Operand(name, array.shape, np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)


def _checked(operand: Operand) -> Operand:
    """Checks the operand, because an inconsistent one would spoil the whole message, with the other calls in it."""
    if min(operand.shape, default=0) < 0:
        raise ValueError(f"the output has a negative size: {operand}")
    if operand.type not in BITS and operand.type != "string":
        raise TypeError(f"the output is of a type that certile has not: {operand}")
    due = (math.prod(operand.shape) * BITS.get(operand.type, 0) + 7) // 8
    if operand.type != "string" and memoryview(operand.content).nbytes != due:
        raise ValueError(f"the output takes {due} bytes: {operand}")
    return operand
