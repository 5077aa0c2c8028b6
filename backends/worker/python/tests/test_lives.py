"""Forked lives: the tests play certile's part at the other end of the socket."""
import os
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from typing import Any

import asking

from certile.messages import read_message

WORKER = """
    import os, sys
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    import certile
    import numpy as np

    @certile.backend(name="forked", version="1")
    def tile(data, repeats):
        print("computed by", os.getpid(), "of", os.getppid(), "offered", os.environ.get("CERTILE_LIVES"))
        if len(data) == 7:
            os.abort()
        return np.tile(data, repeats)

    if "threads" in sys.argv:
        import threading
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    tile.serve(forks=True)
"""


class Life:
    """The streams of a life."""

    def __init__(self):
        (theirs_in, self.questions), (self.answers, theirs_out), (self.errors, theirs_err) = os.pipe(), os.pipe(), os.pipe()
        self.theirs = (theirs_in, theirs_out, theirs_err)
        self.ours: list[Any] = [os.fdopen(self.questions, "wb"), os.fdopen(self.answers, "rb"), os.fdopen(self.errors, "rb")]

    def hand_over(self):
        for each in self.theirs:
            os.close(each)

    def ask(self, shape="2", data=b"\x07\x09"):
        words, tensors = asking.call(shape=shape, data=data)
        self.ours[0].write(asking.buffer({**words, "seq": "1"}, tensors))
        self.ours[0].flush()
        return read_message(self.ours[1])

    def close(self):
        """Returns the life's output; the fork server may keep the same pipe open."""
        os.set_blocking(self.errors, False)
        said = self.ours[2].read() or b""
        for each in self.ours[1:]:
            each.close()
        return said.decode()


class Lives(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "forked.py"
        self.file.write_text(textwrap.dedent(WORKER), encoding="utf-8")
        self.ours, self.offered = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.ours.settimeout(60)
        self.addCleanup(self.ours.close)

    def start(self, *arguments):
        """Returns the first life, and the process that was started for it."""
        life = Life()
        process = subprocess.Popen([sys.executable, str(self.file), *arguments], stdin=life.theirs[0], stdout=life.theirs[1],
                                   stderr=life.theirs[2], pass_fds=[self.offered.fileno()],
                                   env={**asking.environment(), "CERTILE_LIVES": str(self.offered.fileno())})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        life.hand_over()
        self.offered.close()
        return life, process

    def another_life(self, token):
        life = Life()
        socket.send_fds(self.ours, [b"life " + token], life.theirs)
        life.hand_over()
        return life

    def heard(self):
        return self.ours.recv(256).split()

    def end(self, life):
        """Ends a life; returns its messages until then, and its output."""
        life.ours[0].close()
        heard = [self.heard()]
        while heard[-1][0] != b"end":
            heard.append(self.heard())
        return heard, life.close()

    def test_the_process_forks_its_first_life_and_says_so(self):
        life, process = self.start()
        self.assertEqual(life.ask().words["status"], "ok")
        (server, begun, ended), said = self.end(life)
        number = begun[2]
        self.assertEqual(server, [b"server", b"%d" % process.pid])
        self.assertEqual(begun[:2], [b"life", b"first"])
        self.assertEqual(ended, [b"end", number, b"0"])
        self.assertEqual(said, f"computed by {int(number)} of {process.pid} offered None\n")

    def test_a_life_that_ends_by_a_signal_is_followed_by_another(self):
        life, process = self.start()
        self.assertIsNone(life.ask("7", bytes(7)))
        self.assertEqual(os.WTERMSIG(int(self.end(life)[0][-1][2])), signal.SIGABRT)
        for token in (b"second", b"third"):
            life = self.another_life(token)
            self.assertEqual(bytes(life.ask().tensors["out"]), b"\x07\x09\x07\x09")
            (begun, ended), said = self.end(life)
            self.assertEqual(begun[:2], [b"life", token])
            self.assertEqual(ended, [b"end", begun[2], b"0"])
            self.assertEqual(said, f"computed by {int(begun[2])} of {process.pid} offered None\n")

    def test_a_life_leads_a_group_of_its_own(self):
        life, process = self.start()
        self.heard()
        number = int(self.heard()[2])
        self.assertEqual(os.getpgid(number), number)
        self.assertNotEqual(os.getpgid(process.pid), number)
        self.end(life)

    def test_it_ends_with_the_socket(self):
        life, process = self.start()
        self.end(life)
        self.ours.close()
        self.assertEqual(process.wait(timeout=60), 0)

    def test_a_process_with_threads_is_its_only_life(self):
        life, process = self.start("threads")
        self.assertEqual(life.ask().words["status"], "ok")
        life.ours[0].close()
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertIn(f"computed by {process.pid} of", life.close())
        self.assertEqual(self.ours.recv(256), b"")

    def test_what_is_no_socket_is_no_offer(self):
        words, tensors = asking.call()
        done = subprocess.run([sys.executable, str(self.file)], input=asking.buffer({**words, "seq": "1"}, tensors),
                              env={**asking.environment(), "CERTILE_LIVES": "77"}, capture_output=True, timeout=60, check=True)
        self.assertEqual(asking.parsed(done.stdout)[0]["status"], "ok")


if __name__ == "__main__":
    unittest.main()
