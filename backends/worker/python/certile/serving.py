"""Speaks the worker protocol for a backend: the dialogue, and times. Source: the protocol, "The dialogue"."""
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
    """Returns the answer to one message."""
    words, tensors = message
    answer = Answer(words["seq"])
    if words.get("cmd") == "hello":
        answer.say(status="ok", **backend.words, **({"parts": _parts[-1]} if _parts else {}))
    elif "op" in words:
        _answer_call(backend, words, tensors, answer)
    else:
        answer.say(status="ok")
    return answer


@lru_cache(1024)
def _shape(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(","))) if text else ()


def _answer_call(backend: Backend, words: dict[str, str], tensors: dict[str, memoryview], answer: Answer) -> None:
    try:
        command = words["cmd"]
        call = _call(backend, words, tensors)
        if command == "run":
            answer.done(operand_from(backend.run(call)(), call.data.type))
        elif command == "infer" and backend.infer is not None:
            answer.say(status="ok", shape=",".join(str(int(size)) for size in backend.infer(call)()))
        elif command == "time":
            taken = _times(backend, call, int(words["repetitions"]))
            answer.say(status="ok")
            answer.tensor("nanoseconds", "I64", len(taken), taken.tobytes())
        else:
            raise Unsupported(f"there is no {command} here")
    except Exception as why:  # pylint: disable=broad-except, certile reports every exception
        status, said = _status(backend, why), str(why)
        named = f"{type(why).__name__}: {said}" if status == "failed" or not said else said
        if status == "failed":
            named = named[:1500] + _place(why)
        answer.say(status=status, why=named[:2000])


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


def _call(backend: Backend, words: dict[str, str], tensors: dict[str, memoryview]) -> Call:
    def operand(name: str) -> Operand:
        return Operand(words[f"{name}.type"], _shape(words[f"{name}.shape"]), tensors.get(name, b""))

    operator = words["op"]
    if operator not in backend.operators or words["data.type"] not in backend.types or words["repeats.type"] not in backend.repeats_types:
        raise Unsupported("not claimed")
    return Call(operator, operand("data"), operand("repeats"), operand("axis") if "axis.type" in words else None,
                int(words.get("element_bits", 0)))


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
