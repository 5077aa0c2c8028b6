"""The layouts that OpenVINO gives to elements narrower than a byte, and the ones that an installed OpenVINO uses.

They changed between its releases: u4 and i4 exchanged the halves of a byte in 2024.0, u2 went from high bits first to low bits first in
2025, and u3 and u6 go from planes (the high bits of a group of elements in a separate byte) to one stream of bits. So a worker asks
the runtime at start: the runtime decodes a known sequence in each layout, and the right layout is the one in which equal elements stay
equal and different ones different. The values do not matter, because Tile moves elements unchanged.

The protocol's layout is one stream from the low end of each byte, for u1 from the high end. Needs only NumPy.
"""
import random
from typing import Literal

import numpy as np

WIDTHS = {"u1": 1, "u2": 2, "u3": 3, "u4": 4, "i4": 4, "nf4": 4, "f4e2m1": 4, "u6": 6}
COUNT = 192  # elements of the known sequence: whole bytes, and whole groups of three, for every width


class Layout:
    """A layout of one type: `places[k]` is the place of bit k of the protocol's stream in a group of bytes, from the low end of each."""

    def __init__(self, name, kind, places, whole_groups=False):
        self.name, self.places, self.whole_groups = name, np.array(places), whole_groups
        self.order: Literal["big", "little"] = "big" if kind == "u1" else "little"
        self.width = WIDTHS[kind]

    def stored(self, content):
        """Converts the protocol's bytes to OpenVINO's."""
        bits = np.unpackbits(np.frombuffer(content, np.uint8), bitorder=self.order)
        groups = np.zeros((-(-bits.size // self.places.size), self.places.size), np.uint8)
        groups.reshape(-1)[:bits.size] = bits
        moved = np.empty_like(groups)
        moved[:, self.places] = groups
        made = np.packbits(moved.reshape(-1), bitorder="little")
        return made if self.whole_groups else made[:bits.size // 8]

    def content(self, count, stored):
        """Converts OpenVINO's bytes of `count` elements to the protocol's."""
        bits = np.unpackbits(stored, bitorder="little")
        groups = np.zeros((-(-bits.size // self.places.size), self.places.size), np.uint8)
        groups.reshape(-1)[:bits.size] = bits
        return np.packbits(groups[:, self.places].reshape(-1)[:count * self.width], bitorder=self.order).tobytes()


def layouts_of(kind):
    """Returns the layouts that were ever published for a packed type, the present one first."""
    width = WIDTHS[kind]
    if width == 3:
        planes = [16 + 7 - each if bit == 2 else 8 * (each // 4) + 6 - 2 * (each % 4) + bit for each in range(8) for bit in range(3)]
    elif width == 6:
        planes = [16 + 2 * (3 - each) + bit - 4 if bit > 3 else 8 * (each // 2) + 4 * (1 - each % 2) + bit
                  for each in range(4) for bit in range(6)]
    else:
        low = list(range(8))
        high = [8 - width * (each + 1) + bit for each in range(8 // width) for bit in range(width)]
        made = [Layout("low bits first", kind, low), Layout("high bits first", kind, high)]
        return made[::-1] if kind == "u1" else made
    return [Layout("one stream", kind, range(24)), Layout("planes", kind, planes, whole_groups=True)]


def sequence(kind):
    """Returns the elements that a runtime has to decode, and their bytes in the protocol."""
    width = WIDTHS[kind]
    elements = np.array(random.Random(1).choices(range(2**width), k=COUNT), np.uint8)
    bits = np.unpackbits(elements.reshape(-1, 1), axis=1, bitorder="little")[:, :width]
    return elements, np.packbits(bits, bitorder="big" if kind == "u1" else "little").tobytes()


def layout_of(kind, decode):
    """Returns the layout in which `decode(stored)`, a number for each element, keeps equal elements equal and others different.

    Raises LookupError if no published layout does.
    """
    elements, content = sequence(kind)
    for layout in layouts_of(kind):
        numbers = decode(layout.stored(content))
        pairs = set(zip(elements.tolist(), numbers))
        if len(numbers) == COUNT and len(pairs) == len(set(elements.tolist())) == len(set(numbers)):
            return layout
    raise LookupError(f"{kind} has none of the layouts " + ", ".join(each.name for each in layouts_of(kind)))
