"""Shared by the tests: requests as certile sends them, and a reader of answers."""
from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

PACKAGE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PACKAGE))

import certile  # noqa: E402, F401, tests speak of asking.certile
from certile import Backend  # noqa: E402
from certile.messages import read_message  # noqa: E402
from certile.serving import answer_to  # noqa: E402

Asked = tuple[dict[str, str], dict[str, bytes]]
I64 = np.dtype(np.int64)


def buffer(words: dict[str, str], tensors: dict[str, bytes]) -> bytes:
    """Returns a message; every tensor is a vector of bytes, because the words describe it."""
    header: dict[str, Any] = {"__metadata__": words}
    at = 0
    for name, content in tensors.items():
        header[name] = {"dtype": "U8", "shape": [len(content)], "data_offsets": [at, at + len(content)]}
        at += len(content)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + b"".join(tensors.values())


def call(kind: str = "u8", shape: str = "2", data: bytes = b"\x07\x09", repeats: Sequence[int] = (2,), command: str = "run",
         operator: str = "openvino-tile-1", axis: int | None = None, **more: str) -> Asked:
    """Returns one call; repeats are an i64 vector, the axis an i64 scalar."""
    words = {"cmd": command, "op": operator, "element_bits": "8", "data.type": kind, "data.shape": shape,
             "repeats.type": "i64", "repeats.shape": str(len(repeats)), **more}
    tensors = {} if command == "infer" else {"data": data}
    tensors["repeats"] = np.array(repeats, I64).tobytes()
    if axis is not None:
        words.update({"axis.type": "i64", "axis.shape": ""})
        tensors["axis"] = np.array(axis, I64).tobytes()
    return words, tensors


def answered(backend: Backend, asked: Asked) -> tuple[dict[str, str], dict[str, bytes]]:
    """Returns the words and tensors of a backend's answer, through bytes both ways."""
    words, tensors = asked
    question = read_message(io.BytesIO(buffer({"seq": "9", **words}, tensors)))
    assert question is not None
    out = io.BytesIO()
    answer_to(backend, question).write(out)
    return parsed(out.getvalue())


def parsed(content: bytes) -> tuple[dict[str, str], dict[str, bytes]]:
    """Returns the words and tensors of a whole message."""
    message = read_message(io.BytesIO(content))
    assert message is not None
    return message.words, {name: bytes(tensor) for name, tensor in message.tensors.items()}


def environment() -> dict[str, str]:
    """Returns an environment in which a process finds the package."""
    return {**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"}
