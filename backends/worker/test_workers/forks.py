"""A worker that accepts the offer and becomes a fork server: forks.py WAY.  It reports each start of the program on
standard error; a life ends by a signal, or hangs, on data of shape [7]."""
import os
import signal
import socket
import sys
import time

import speak

way = sys.argv[1]
print("the program starts", file=sys.stderr, flush=True)


def begin_life():
    """Returns in each life."""
    offered = socket.socket(fileno=int(os.environ["CERTILE_LIVES"]))
    offered.send(b"server %d" % os.getpid())
    token = b"first"
    streams: list[int] = []
    while True:
        life = os.fork()
        if life == 0:
            os.setpgid(0, 0)
            for number, each in enumerate(streams):
                os.dup2(each, number if number != 1 else speak.answers.fileno())
            offered.send(b"life %b %d" % (token, os.getpid()))
            offered.close()
            return
        for each in streams or (0, speak.answers.fileno()):
            os.close(each)
        offered.send(b"end %d %d" % (life, os.waitpid(life, 0)[1]))
        question, streams, _, _ = socket.recv_fds(offered, 256, 3)
        if way == "refuses":
            offered.send(b"none " + question.split()[1] + b" there is no more memory")
            time.sleep(1000)
        if not question or way == "server_ends":
            os._exit(0)
        token = question.split()[1]


if "CERTILE_LIVES" in os.environ:
    begin_life()
while True:
    words, tensors = speak.read_message()
    said, sent = {"status": "ok"}, {}
    if words.get("cmd") == "hello":
        said = dict(speak.HELLO)
    elif words.get("cmd") in ("infer", "run"):
        if words["data.shape"] == "7" and way == "hangs":
            time.sleep(1000)
        if words["data.shape"] == "7":
            os.kill(os.getpid(), signal.SIGSEGV)
        said, sent = speak.right_answer(words, tensors)
    speak.write(speak.message({**said, "seq": words["seq"]}, sent))
    if words.get("cmd") == "bye":
        sys.exit(0)
