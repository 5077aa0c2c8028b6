"""The worker as a process: its other output does not reach the protocol."""
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

import asking

WORKER = """
    import certile
    certile.reserve_stdout()
    print("while importing")
    import os, sys
    import numpy as np

    @certile.backend(name="loud", version="1")
    def tile(data, repeats):
        print("noise")
        os.system("echo from a child")
        sys.stdin.read()
        return np.tile(data, repeats)

    if __name__ == "__main__":
        tile.serve()
        print("after the end")
"""


class Worker(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "loud.py"
        self.file.write_text(textwrap.dedent(WORKER), encoding="utf-8")

    def answers(self, *command, messages):
        done = subprocess.run([sys.executable, *command], input=b"".join(messages), capture_output=True, timeout=120,
                              env=asking.environment(), cwd=self.file.parent, check=True)
        answers, rest = [], done.stdout
        while rest:
            length = 8 + int.from_bytes(rest[:8], "little")
            size = max([each.get("data_offsets", [0, 0])[1] for each in asking.json.loads(rest[8:length]).values()])
            answers.append(asking.parsed(rest[:length + size]))
            rest = rest[length + size:]
        return answers, done.stderr.decode()

    def talk(self, *command):
        words, tensors = asking.call()
        return self.answers(*command, messages=[asking.buffer({"cmd": "hello", "seq": "1"}, {}),
                                                asking.buffer({**words, "seq": "2"}, tensors),
                                                asking.buffer({"cmd": "bye", "seq": "3"}, {}), b"what comes later"])

    def check(self, answers, said):
        self.assertEqual([words["seq"] for words, _ in answers], ["1", "2", "3"])
        self.assertEqual([words["status"] for words, _ in answers], ["ok", "ok", "ok"])
        self.assertEqual(answers[1][1]["out"], b"\x07\x09\x07\x09")
        for noise in ("while importing", "noise", "from a child"):
            self.assertIn(noise, said)

    def test_a_file_is_a_worker_and_may_print(self):
        answers, said = self.talk(str(self.file))
        self.check(answers, said)
        self.assertIn("after the end", said)

    def test_a_backend_is_served_by_its_file_and_name(self):
        self.check(*self.talk("-m", "certile", "serve", "loud.py:tile"))

    def test_a_backend_is_served_by_its_module_and_name(self):
        self.check(*self.talk("-m", "certile", "serve", "loud:tile"))

    def test_a_name_that_is_no_backend_is_an_error(self):
        with self.assertRaises(subprocess.CalledProcessError) as caught:
            self.answers("-m", "certile", "serve", "loud.py:np", messages=[])
        self.assertIn(b"loud.py has no backend np", caught.exception.stderr)

    def test_a_failure_says_where_it_was_raised(self):
        fails = self.file.with_name("fails.py")
        fails.write_text(textwrap.dedent("""
            import certile, json

            @certile.backend(name="fails", version="1")
            def tile(data, repeats):
                return read("{")

            def read(text):
                return json.loads(text)
        """), encoding="utf-8")
        answers, _ = self.talk("-m", "certile", "serve", "fails.py:tile")
        status, why = answers[1][0]["status"], answers[1][0]["why"].split("\n")
        self.assertEqual((status, len(why)), ("failed", 3), why)
        self.assertTrue(why[0].startswith("JSONDecodeError: "), why)
        self.assertEqual(why[1], f"{fails}:9, in read: return json.loads(text)")
        self.assertRegex(why[2], r"json/decoder\.py:\d+, in ")

    def test_the_end_of_the_input_is_the_end(self):
        self.assertEqual(self.answers(str(self.file), messages=[])[0], [])


if __name__ == "__main__":
    unittest.main()
