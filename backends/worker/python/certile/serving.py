"""Speaks the worker protocol for a backend: the dialogue, batches, times. Source: the protocol, "The dialogue"."""
from __future__ import annotations

import gc
import math
import os
import sys
import time
import traceback
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Callable

import numpy as np
import numpy.typing as npt

from .backends import Backend
from .elements import PACKED_BITS
from .errors import Rejected, Unsupported
from .lives import begin_life
from .messages import Answer, Message, read_message
from .operands import Call, Operand, operand_from
from .parts import parts_text

_streams: list[tuple[BinaryIO, BinaryIO]] = []
_parts: list[str] = []  # the parts of this worker, once it serves


def reserve_stdout() -> None:
    """Keeps standard input and output for the protocol: from here on, prints go to standard error.

    `serve` calls it. Call it before the import of a framework that prints while it is imported.
    """
    if _streams:
        return
    sys.stdout.flush()
    _streams.append((os.fdopen(os.dup(0), "rb", 1 << 16), os.fdopen(os.dup(1), "wb", 1 << 16)))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)


def serve(backend: Backend, *, forks: bool = False) -> None:
    """Answers certile's requests on standard input, until `bye` or the end of the input.

    With `forks`, a process that has no threads yet is forked for each life that certile wants of it, instead of being started
    again, so that slow imports happen once. Only for backends without anything that lives cannot share, such as a
    connection or a device.

    Calls outside the backend's claim are answered `unsupported` without a call of the backend. Raises SystemExit if a person,
    not certile, has started it.
    """
    if not _streams and sys.stdin.isatty():
        sys.exit(f"this is a worker, which certile starts: certile certify 'worker:python3 {sys.argv[0]}'")
    reserve_stdout()
    _parts.append(parts_text())  # before any life begins, because all of them have the same parts
    gc.collect()
    gc.freeze()  # a framework's many objects stay, so the collector need not scan them again and again
    questions, answers = begin_life(_streams[0]) if forks else _streams[0]
    while (message := read_message(questions)) is not None:
        answer_to(backend, message).write(answers)
        if message.words.get("cmd") == "bye":
            return


def answer_to(backend: Backend, message: Message) -> Answer:
    """Returns the answer to one message, which may have many calls."""
    words, tensors = message
    answer = Answer(words["seq"])
    if words.get("cmd") == "hello":
        answer.say("", status="ok", **backend.words, **({"parts": _parts[-1]} if _parts else {}))
    elif "batch" in words:
        for number in range(int(words["batch"])):
            _answer_call(backend, words, tensors, _keys(f"{number}."), answer)
    elif "op" in words:
        _answer_call(backend, words, tensors, _keys(""), answer)
    else:
        answer.say("", status="ok")
    return answer


class _Keys:
    """The names of a call's words and tensors, formed once, because a batch has thousands of them."""
    __slots__ = ("call", "command", "operator", "bits", "data", "repeats", "axis")

    def __init__(self, call: str) -> None:
        self.call, self.command, self.operator, self.bits = call, call + "cmd", call + "op", call + "element_bits"
        self.data, self.repeats, self.axis = (
            (call + name, call + name + ".type", call + name + ".shape") for name in ("data", "repeats", "axis"))


_keys = lru_cache(1024)(_Keys)


@lru_cache(1024)
def _shape(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(","))) if text else ()


def _answer_call(backend: Backend, words: dict[str, str], tensors: dict[str, memoryview], keys: _Keys, answer: Answer) -> None:
    try:
        command = words[keys.command]
        call = _call(backend, words, tensors, keys)
        if command == "run":
            answer.done(keys.call, operand_from(backend.run(call)(), call.data.type))
        elif command == "infer" and backend.infer is not None:
            answer.say(keys.call, status="ok", shape=",".join(str(int(size)) for size in backend.infer(call)()))
        elif command == "time":
            taken = _times(backend, call, int(words[keys.call + "repetitions"]))
            answer.say(keys.call, status="ok")
            answer.tensor(keys.call + "nanoseconds", "I64", len(taken), taken.tobytes())
        else:
            raise Unsupported(f"there is no {command} here")
    except Exception as why:  # pylint: disable=broad-except, certile reports every exception
        status, said = _status(backend, why), str(why)
        named = f"{type(why).__name__}: {said}" if status == "failed" or not said else said
        if status == "failed":
            named = named[:1500] + _place(why)
        answer.say(keys.call, status=status, why=named[:2000])


def _place(why: Exception) -> str:
    """Returns where an exception was raised: the last line reached in the backend's own file, and that of a library below it."""
    calls = [call for call in traceback.extract_tb(why.__traceback__) if Path(call.filename).parent != Path(__file__).parent]
    own = [call for call in calls if call.filename == calls[0].filename]
    shown = dict.fromkeys((call.filename, call.lineno, call.name, call.line) for call in own[-1:] + calls[-1:])
    return "".join(f"\n{file}:{line}, in {function}: {code}" for file, line, function, code in shown)


def _status(backend: Backend, why: Exception) -> str:
    if isinstance(why, Unsupported):
        return "unsupported"
    if isinstance(why, (Rejected, *backend.rejects)):
        return "rejected"
    return "no_memory" if isinstance(why, MemoryError) else "failed"


def _call(backend: Backend, words: dict[str, str], tensors: dict[str, memoryview], keys: _Keys) -> Call:
    operator, (data, data_type, data_shape) = words[keys.operator], keys.data
    repeats, repeats_type, repeats_shape = keys.repeats
    kinds = words[data_type], words[repeats_type]
    if operator not in backend.operators or kinds[0] not in backend.types or kinds[1] not in backend.repeats_types:
        raise Unsupported("not claimed")
    axis, axis_type, axis_shape = keys.axis
    return Call(operator, Operand(kinds[0], _shape(words[data_shape]), tensors.get(data, b"")),
                Operand(kinds[1], _shape(words[repeats_shape]), tensors[repeats]),
                Operand(words[axis_type], _shape(words[axis_shape]), tensors[axis]) if axis_type in words else None,
                int(words.get(keys.bits, 0)))


def _times(backend: Backend, call: Call, repetitions: int) -> npt.NDArray[np.int64]:
    """Returns the nanoseconds of each call; raises RuntimeError if the calls compute something else than `run` does."""
    calls, output = backend.prepare(call)
    nanoseconds, result = timed(calls, repetitions)
    if output is not None and repetitions > 0:
        _check_same(operand_from(output(result), call.data.type), operand_from(backend.run(call)(), call.data.type))
    return nanoseconds


def timed(call: Callable[[], Any], repetitions: int) -> tuple[npt.NDArray[np.int64], Any]:
    """Returns the nanoseconds of each call, of shape (repetitions,), and the result of the last call.

    A call's result is released outside the time of the next call.
    """
    nanoseconds = np.empty(repetitions, np.int64)
    clock = time.perf_counter_ns
    result = None
    for turn in range(repetitions):
        result = None
        start = clock()
        result = call()
        nanoseconds[turn] = clock() - start
    return nanoseconds, result


def _check_same(out: Operand, due: Operand) -> None:
    if (out.type, out.shape) != (due.type, due.shape):
        raise RuntimeError(f"the calls that are timed give {out}, and the function gives {due}")
    ours, theirs = _without_padding(out), _without_padding(due)
    piece = 1 << 20  # a comparison allocates a byte for each byte
    for start in range(0, max(ours.size, theirs.size), piece):
        if not np.array_equal(ours[start:start + piece], theirs[start:start + piece]):
            raise RuntimeError(f"the calls that are timed give other bytes than the function does, in {out} from byte {start} on")


def _without_padding(operand: Operand) -> npt.NDArray[np.uint8]:
    """Returns the bytes; if a packed type has unused bits in the last one, returns the used bits as bytes."""
    content = np.frombuffer(operand.content, np.uint8)
    used = math.prod(operand.shape) * PACKED_BITS.get(operand.type, 8) % 8
    if not used:
        return content
    last = np.unpackbits(content[-1:], count=used, bitorder="big" if operand.type == "u1" else "little")
    return np.concatenate([content[:-1], last])
