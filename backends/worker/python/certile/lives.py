"""Turns the process into a fork server, so that further lives of a worker need not import its framework again.

Source: the protocol, "Lives".
"""
from __future__ import annotations

import os
import socket
from typing import BinaryIO, NoReturn

OFFER = "CERTILE_LIVES"
Streams = tuple[BinaryIO, BinaryIO]


def begin_life(streams: Streams) -> Streams:
    """Returns in each life, with its streams; the process that was started remains, to fork the next.

    If certile offers nothing, or the process has threads, which a fork would not copy, the process is the only life.
    """
    offered = _offered()
    if offered is None or _threads() != 1:
        return streams
    offered.send(b"server %d" % os.getpid())
    token = b"first"
    descriptors: list[int] = []
    while True:
        life = _fork(offered, token)
        if life == 0:
            return _begin(offered, token, streams, descriptors)
        if not descriptors:
            for stream in streams:
                stream.close()
        for each in descriptors:
            os.close(each)
        if life is not None:
            offered.send(b"end %d %d" % (life, os.waitpid(life, 0)[1]))
        token, descriptors = _next_question(offered)


def _offered() -> socket.socket | None:
    try:
        return socket.socket(fileno=int(os.environ.pop(OFFER)))
    except (KeyError, ValueError, OSError):
        return None


def _threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 0


def _fork(offered: socket.socket, token: bytes) -> int | None:
    try:
        return os.fork()
    except OSError as why:
        offered.send(b"none %b %b" % (token, str(why).encode()))
        return None


def _begin(offered: socket.socket, token: bytes, streams: Streams, descriptors: list[int]) -> Streams:
    os.setpgid(0, 0)  # so that its children end with it, and the fork server does not
    if descriptors:
        questions, answers, errors = descriptors
        os.dup2(errors, 1)
        os.dup2(errors, 2)
        os.close(errors)
        streams = (os.fdopen(questions, "rb", 1 << 16), os.fdopen(answers, "wb", 1 << 16))
    offered.send(b"life %b %d" % (token, os.getpid()))
    offered.close()
    return streams


def _next_question(offered: socket.socket) -> tuple[bytes, list[int]]:
    question, descriptors, _, _ = socket.recv_fds(offered, 256, 3)
    words = question.split()
    if len(words) != 2 or len(descriptors) != 3:
        _end()  # certile has closed the socket
    return words[1], descriptors


def _end() -> NoReturn:
    os._exit(0)  # without exit handlers, which belong to the lives
