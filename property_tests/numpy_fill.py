"""The elements that a literal does not spell out, made with NumPy from the rules in reference/values/fill.hpp.

An element is a number of bits in an unsigned array, low bits first; 128 bits are two words, an axis more; a string is
a bytes object.
"""
import numpy as np

BITS = {"boolean": 8, "i4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "u1": 1, "u2": 2, "u3": 3, "u4": 4, "u6": 6,
        "u8": 8, "u16": 16, "u32": 32, "u64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "nf4": 4, "f8e4m3": 8,
        "f8e5m2": 8, "f8e8m0": 8, "f4e2m1": 4, "c64": 64, "c128": 128, "string": 0}

# For each float: the bits of its fraction, and the largest finite pattern.
IEEE = {"f16": (10, 0x7bff), "bf16": (7, 0x7f7f), "f8e5m2": (2, 0x7b), "f32": (23, 0x7f7fffff),
        "f64": (52, 0x7fefffffffffffff)}
LARGEST = {"f8e4m3": 0x7e, "f8e8m0": 0xfe, "f4e2m1": 0x7, **{name: largest for name, (_, largest) in IEEE.items()}}

WORD = (1 << 64) - 1


def word_of(type_name):
    """The unsigned type that holds one element, or half of one of 128 bits."""
    width = BITS[type_name]
    return {8: np.uint8, 16: np.uint16, 32: np.uint32}.get(width, np.uint64 if width > 32 else np.uint8)


def mix(values):
    """SplitMix64's step, of an array."""
    values = values + np.uint64(0x9e3779b97f4a7c15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xbf58476d1ce4e5b9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94d049bb133111eb)
    return values ^ (values >> np.uint64(31))


def mix_one(value):
    value = (value + 0x9e3779b97f4a7c15) & WORD
    value = ((value ^ (value >> 30)) * 0xbf58476d1ce4e5b9) & WORD
    value = ((value ^ (value >> 27)) * 0x94d049bb133111eb) & WORD
    return value ^ (value >> 31)


def counted_from(start, count):
    return np.arange(count, dtype=np.uint64) + np.uint64(start & WORD)


def single_bits(start, count):
    return mix(counted_from(76 + start, count)) >> np.uint64(63)


# ---- index

def index_narrow(type_name, count):
    """Patterns in strides of 48271, without 0, -0 and patterns that are not finite; mixed numbers after one use of each."""
    sign = 1 << (BITS[type_name] - 1)
    positive = LARGEST.get(type_name, 2 * sign - 1)
    negative = positive if type_name in LARGEST and type_name != "f8e8m0" else 0
    patterns = positive + negative
    index = counted_from(0, count)
    chosen = (index + np.uint64(1)) * np.uint64(48271 % patterns) % np.uint64(patterns)
    if count > patterns:
        mixed = ((mix(index) >> np.uint64(32)) * np.uint64(patterns)) >> np.uint64(32)
        chosen = np.where(index < np.uint64(patterns), chosen, mixed)
    return np.where(chosen < np.uint64(positive), chosen + np.uint64(1),
                    np.uint64(sign + 1) + chosen - np.uint64(positive))


def index_numbers(type_name, count):
    if type_name in ("boolean", "u1"):
        return single_bits(0, count)
    numbers = counted_from(1, count)
    if type_name == "f32":
        return numbers.astype(np.float32).view(np.uint32)
    if type_name == "f64":
        return numbers.astype(np.float64).view(np.uint64)
    if type_name == "c64":
        return (numbers.astype(np.float32) * np.array(1, np.complex64)
                - np.array(1j, np.complex64) * numbers.astype(np.float32)).astype(np.complex64).view(np.uint64)
    if type_name == "c128":
        pairs = np.stack([numbers.astype(np.float64), -numbers.astype(np.float64)], axis=-1)
        return pairs.view(np.uint64)
    return numbers if BITS[type_name] >= 32 else index_narrow(type_name, count)


def index_strings(count):
    strings = []
    for index in range(count):
        text = bytearray(str(index + 1).encode().ljust(33 + index % 5, b"."))
        if index % 7 == 6:
            text[31] = 0
        strings.append(bytes(text))
    return strings


# ---- bits

def random_numbers(type_name, count, seed):
    words = mix(counted_from(mix_one(seed), count * (2 if BITS[type_name] == 128 else 1)))
    if type_name == "boolean":
        return words >> np.uint64(63)
    if BITS[type_name] < 64:
        words &= np.uint64((1 << BITS[type_name]) - 1)
    return words.reshape(-1, 2) if BITS[type_name] == 128 else words


def random_character(word, size):
    """A character of `size` bytes in UTF-8."""
    first = (0, 0x80, 0x800, 0x10000, 0x110000)
    characters = [range(first[size - 1], first[size])] if size != 3 else [range(0x800, 0xd800), range(0xe000, 0x10000)]
    place = word % sum(map(len, characters))
    return characters[0][place] if place < len(characters[0]) else characters[1][place - len(characters[0])]


def random_utf8(stream, length):
    text, position = b"", 1
    while len(text) < length:
        word = mix_one((stream + position) & WORD)
        size = 1 + (word & 0xffffffff) % min(length - len(text), 4)
        text += chr(random_character(word >> 32, size)).encode()
        position += 1
    return text


def random_strings(count, seed, utf8):
    strings = []
    for index in range(count):
        stream = mix_one((mix_one(seed) + index) & WORD)
        length = ((mix_one(stream) >> 32) * 41) >> 32
        any_bytes = bytes((mix(counted_from(stream + 1, length)) & np.uint64(0xff)).astype(np.uint8))
        strings.append(random_utf8(stream, length) if utf8 else any_bytes)
    return strings


# ---- special

def special_floats(type_name):
    fraction, largest = IEEE[type_name]
    sign = 1 << (BITS[type_name] - 1)
    infinity, normal = largest + 1, 1 << fraction
    return [infinity | normal >> 1 | 1, infinity | 1, sign | sign - 1, sign | infinity | 1, infinity, sign | infinity,
            sign, 1, sign | normal - 1, normal, largest, sign | largest, 0]


def special_integers(width):
    sign = 1 << (width - 1)
    single = [1 << bit for bit in range(width - 1) if 1 << bit != sign - 1]
    return [sign, sign - 1, 2 * sign - 1, 0] + single


def special_values(type_name):
    other = {"f8e4m3": [0x7f, 0xff, 0x80, 0x01, 0x87, 0x08, 0x7e, 0xfe, 0x00], "f8e8m0": [0xff, 0x00, 0xfe, 0x7f, 0x80],
             "f4e2m1": [0x8, 0x1, 0x9, 0x7, 0xf, 0x0], "nf4": [0x0, 0xf, 0x7, 0x8, 0x6]}
    part = {"c64": "f32", "c128": "f64"}.get(type_name, type_name)
    if part in other:
        return other[part]
    return special_floats(part) if part in IEEE else special_integers(BITS[part])


def special_strings(utf8):
    valid = ["\x80\u07ff", "\u0800\ud7ff\ue000", "\ufeff\uffff\U0010ffff", "e\u0301"]
    invalid = [b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b"\xe2\x82"]
    strings = [b"", b"\0", b"a\0b", b"\0\0tail", *([text.encode() for text in valid] if utf8 else invalid),
               b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"'\"\\\n\r\t\x1b[0m"]
    for size in (15, 16, 22, 23, 24, 255, 256, 1000):
        strings.append(b"s" * (size - 1) + bytes([ord("a") + (len(strings) + 1) % 26]))
    return strings


STRINGS = {utf8: special_strings(utf8) for utf8 in (False, True)}
TABLES = {name: np.array(special_values(name), np.uint64) for name in BITS if name not in ("boolean", "u1", "string")}


def in_cycle(seed, length, count):
    """Positions in a cycle that begins one later each time."""
    place = counted_from(seed, count)
    return (place + place // np.uint64(length)) % np.uint64(length)


def special_numbers(type_name, count, seed):
    if type_name in ("boolean", "u1"):
        return single_bits(seed, count)
    table = TABLES[type_name]
    if type_name not in ("c64", "c128"):
        return table[in_cycle(seed, len(table), count)]
    pairs = table[in_cycle(seed, len(table), 2 * count)].reshape(-1, 2)
    return pairs if type_name == "c128" else pairs[:, 1] << np.uint64(32) | pairs[:, 0]


# ---- zero

def zero_numbers(type_name, count, seed):
    """Zero bits; of odd seeds the sign bits of floats."""
    sign = 1 << (BITS[type_name] - 1) if type_name in IEEE or type_name in ("f8e4m3", "f4e2m1") else 0
    pattern = {"c64": 0x8000000080000000, "c128": 1 << 63}.get(type_name, sign) if seed % 2 else 0
    return np.full((count, 2) if type_name == "c128" else count, pattern, np.uint64)


# ---- long

def long_strings(count, seed):
    """Strings around the lengths at which 12 and 16 bits end."""
    lengths = (65_536, 4_096, 65_535, 70_001, 4_095)
    strings = []
    for element in range(count):
        position = (seed + element) % 2**64
        place = np.arange(lengths[position % 5], dtype=np.uint64)
        letters = (place * np.uint64(7) + place // np.uint64(26) + np.uint64(position)) % np.uint64(26)
        strings.append((letters + np.uint64(97)).astype(np.uint8).tobytes())
    return strings


# ---- all of them

def filled(operator, type_name, shape, kind, seed):
    """The elements as an array of that shape, with a last axis of two words for c128; strings are UTF-8, except for OpenVINO."""
    count = int(np.prod(shape, dtype=np.int64))
    if type_name == "string":
        utf8 = operator != "openvino-tile-1"
        special = STRINGS[utf8]
        strings = {"index": lambda: index_strings(count), "bits": lambda: random_strings(count, seed, utf8),
                   "special": lambda: [special[place] for place in in_cycle(seed, len(special), count)],
                   "zero": lambda: [b""] * count, "long": lambda: long_strings(count, seed)}[kind]()
        elements = np.empty(count, object)
        elements[:] = strings
        return elements.reshape(shape)
    numbers = {"index": lambda: index_numbers(type_name, count), "long": lambda: index_numbers(type_name, count),
               "bits": lambda: random_numbers(type_name, count, seed),
               "special": lambda: special_numbers(type_name, count, seed),
               "zero": lambda: zero_numbers(type_name, count, seed)}[kind]()
    return numbers.astype(word_of(type_name)).reshape(shape + ((2,) if type_name == "c128" else ()))
