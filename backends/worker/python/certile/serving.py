"""Speaks the worker protocol for a backend: the dialogue, batches, times. Source: the protocol, "The dialogue"."""
from __future__ import annotations

import os
import sys
import time
from typing import Any, BinaryIO, Callable, Dict, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from .backends import Backend
from .errors import Rejected, Unsupported
from .messages import Answer, Message, read_message
from .operands import Call, Operand

_streams: List[Tuple[BinaryIO, BinaryIO]] = []


def reserve_stdout() -> None:
    """Keeps standard input and output for the protocol: from here on what prints, prints to standard error.

    `serve` does it itself. Do it by hand, before the import, for a framework that prints while it is imported.
    """
    if _streams:
        return
    sys.stdout.flush()
    _streams.append((os.fdopen(os.dup(0), "rb", 1 << 16), os.fdopen(os.dup(1), "wb", 1 << 16)))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)


def serve(backend: Backend) -> None:
    """Answers what certile asks on standard input, until it says bye or the input ends.

    What is outside the backend's claim is answered `unsupported` without a call. Raises SystemExit where a person, not certile, has
    started it.
    """
    if not _streams and sys.stdin.isatty():
        sys.exit(f"this is a worker, which certile starts: certile certify 'worker:python3 {sys.argv[0]}'")
    reserve_stdout()
    questions, answers = _streams[0]
    while (message := read_message(questions)) is not None:
        answer_to(backend, message).write(answers)
        if message.words.get("cmd") == "bye":
            return


def answer_to(backend: Backend, message: Message) -> Answer:
    """The answer to one message, which may hold many calls."""
    words, tensors = message
    answer = Answer(words["seq"])
    if words.get("cmd") == "hello":
        answer.say("", status="ok", **backend.words)
    elif "batch" in words:
        for number in range(int(words["batch"])):
            _answer_call(backend, words, tensors, f"{number}.", answer)
    elif "op" in words:
        _answer_call(backend, words, tensors, "", answer)
    else:
        answer.say("", status="ok")
    return answer


def _answer_call(backend: Backend, words: Dict[str, str], tensors: Dict[str, memoryview], key: str, answer: Answer) -> None:
    try:
        command = words[key + "cmd"]
        call = _call(backend, words, tensors, key)
        if command == "run":
            made = backend.output(call)
            answer.done(key, made.type, made.shape, made.content)
        elif command == "infer" and backend.infer is not None:
            answer.say(key, status="ok", shape=",".join(str(int(size)) for size in backend.infer(call)))
        elif command == "time":
            taken = timed(backend.prepare(call), int(words[key + "repetitions"]))
            answer.say(key, status="ok")
            answer.tensor(key + "nanoseconds", "I64", len(taken), taken.tobytes())
        else:
            raise Unsupported(f"there is no {command} here")
    except Exception as why:  # pylint: disable=broad-except, all of it is for certile to hear
        status, said = _status(backend, why), str(why)
        named = f"{type(why).__name__}: {said}" if status == "failed" or not said else said
        answer.say(key, status=status, why=named[:2000])


def _status(backend: Backend, why: Exception) -> str:
    if isinstance(why, Unsupported):
        return "unsupported"
    if isinstance(why, Rejected) or isinstance(why, backend.rejects):
        return "rejected"
    return "no_memory" if isinstance(why, MemoryError) else "failed"


def _call(backend: Backend, words: Dict[str, str], tensors: Dict[str, memoryview], key: str) -> Call:
    operator = words[key + "op"]
    data, repeats = _operand(words, tensors, key + "data"), _operand(words, tensors, key + "repeats")
    if data is None or repeats is None:
        raise ValueError("the call has no data or no repeats")
    if operator not in backend.operators or data.type not in backend.types or repeats.type not in backend.repeats_types:
        raise Unsupported("not claimed")
    return Call(operator, data, repeats, _operand(words, tensors, key + "axis"), int(words.get(key + "element_bits", 0)))


def _operand(words: Dict[str, str], tensors: Dict[str, memoryview], name: str) -> Optional[Operand]:
    kind = words.get(name + ".type")
    if kind is None:
        return None
    shape = words[name + ".shape"]
    return Operand(kind, tuple(map(int, shape.split(","))) if shape else (), tensors.get(name, _NOTHING))


_NOTHING = memoryview(b"")


def timed(call: Callable[[], Any], repetitions: int) -> npt.NDArray[np.int64]:
    """Nanoseconds of each of so many calls: shape (repetitions,). What a call makes is let go outside its time."""
    nanoseconds = np.empty(repetitions, np.int64)
    clock = time.perf_counter_ns
    for turn in range(repetitions):
        start = clock()
        made = call()
        nanoseconds[turn] = clock() - start
        del made  # not within the time of the next call
    return nanoseconds
