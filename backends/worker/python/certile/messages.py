"""One message of the worker protocol: a safetensors buffer of words and tensors. Source: the protocol, "A message"."""
from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from .elements import Buffer
from .operands import Operand


class Message(NamedTuple):
    """The words, and the bytes of each tensor, which are writable."""
    words: dict[str, str]
    tensors: dict[str, memoryview]


def read_message(stream: BinaryIO) -> Message | None:
    """Returns the next message of a stream; None at its end. Raises EOFError if it ends within a message."""
    length = stream.read(8)
    if len(length) < 8:
        return None
    header = json.loads(stream.read(int.from_bytes(length, "little")))
    words = header.pop("__metadata__", {})
    end = max([each["data_offsets"][1] for each in header.values()], default=0)
    body = _read(stream, end)
    return Message(words, {name: body[slice(*each["data_offsets"])] for name, each in header.items()})


def _read(stream: BinaryIO, size: int) -> memoryview:
    """Returns `size` bytes, aligned for every type; in an array, because a bytearray would be filled with zeros first."""
    room = np.empty(size + 64, np.uint8)
    start = -room.ctypes.data % 64 if size > 4096 else 0
    body = room.data[start:start + size]
    done = 0
    while done < size:
        count = stream.readinto(body[done:])  # type: ignore[attr-defined]
        if not count:
            raise EOFError(f"the message ends after {done} of {size} bytes")
        done += count
    return body


@lru_cache(1024)
def _text_of(shape: tuple[int, ...]) -> str:
    return ",".join(map(str, shape))


class Answer:
    """A message to be written."""

    def __init__(self, sequence: str) -> None:
        self._words: list[str] = [f'"seq":{json.dumps(sequence)}']
        self._tensors: list[str] = []
        self._contents: list[Buffer] = []
        self._end = 0

    def say(self, **words: str) -> None:
        """Adds words."""
        for name, word in words.items():
            self._words.append(f'"{name}":{json.dumps(word.encode("utf-8", "replace").decode())}')

    def done(self, out: Operand) -> None:
        """Adds the success of a call, and its output."""
        content, begin = out.content, self._end
        size = content.nbytes if isinstance(content, memoryview) else len(content)
        self._end = end = begin + size
        self._words.append(f'"status":"ok","out.type":"{out.type}","out.shape":"{_text_of(out.shape)}"')
        self._tensors.append(f'"out":{{"dtype":"U8","shape":[{size}],"data_offsets":[{begin},{end}]}}')
        self._contents.append(content)

    def tensor(self, name: str, dtype: str, count: int, content: bytes) -> None:
        """Adds a vector of `count` elements."""
        begin, self._end = self._end, self._end + len(content)
        self._tensors.append(f'"{name}":{{"dtype":"{dtype}","shape":[{count}],"data_offsets":[{begin},{self._end}]}}')
        self._contents.append(content)

    def write(self, stream: Any) -> None:
        """Writes the whole message, and flushes it."""
        metadata = f'"__metadata__":{{{",".join(self._words)}}}'
        text = ("{" + ",".join([metadata, *self._tensors]) + "}").encode()
        stream.write(b"".join([len(text).to_bytes(8, "little"), text]))
        stream.writelines(self._contents)
        stream.flush()
