"""Messages: those on the protocol's page are read, and answered as shown there."""
import io
import re
import unittest

import asking

import numpy as np

import certile
from certile.messages import read_message

PAGE = asking.PACKAGE.parent / "protocol.md"


def captured():
    """Returns the text above each message of the page, and the message."""
    text = PAGE.read_text(encoding="utf-8").partition("## Messages that are refused")[0]
    found, above = [], ""
    for match in re.finditer(r"\*\*([^*\n]+)\*\*|```hex\n([0-9a-f\n]+)```", text):
        if match[1]:
            above = match[1]
        else:
            found.append((above, bytes.fromhex(match[2].replace("\n", ""))))
    return found


@certile.backend(name="example", version="1", operators=["openvino-tile-1", "onnx-tile-13"],
                 infer=lambda shape, repeats: np.multiply(shape, repeats).tolist())
def tile(data, repeats):
    return np.tile(data, repeats)


@unittest.skipUnless(PAGE.is_file(), "the protocol's page lies in the source tree")
class CapturedMessages(unittest.TestCase):
    def test_all_are_read(self):
        messages = captured()
        self.assertGreater(len(messages), 10)
        for name, content in messages:
            with self.subTest(name):
                self.assertIn("seq", asking.parsed(content)[0])

    def test_each_call_is_answered_as_shown(self):
        count = 0
        for name, content in captured():
            if not name.startswith("its answer"):
                question, asked = name, asking.parsed(content)
            elif question not in ("hello", "time") and ("i4" in certile.DTYPES or "i4" not in asked[0].values()):
                with self.subTest(question):
                    said, out = asking.answered(tile, asked)
                    due_words, due = asking.parsed(content)
                    self.assertEqual(due, out)
                    self.assertEqual({**said, **due_words}, said)
                    count += 1
        self.assertGreaterEqual(count, 5)


class Streams(unittest.TestCase):
    def test_the_end_of_the_stream_is_none(self):
        self.assertIsNone(read_message(io.BytesIO(b"")))

    def test_an_end_within_a_message_is_an_error(self):
        whole = asking.buffer({"seq": "1"}, {"data": b"abcd"})
        with self.assertRaisesRegex(EOFError, "after 3 of 4 bytes"):
            read_message(io.BytesIO(whole[:-1]))

    def test_a_large_tensor_begins_aligned(self):
        message = read_message(io.BytesIO(asking.buffer({"seq": "1"}, {"data": bytes(100000)})))
        assert message is not None
        self.assertEqual(np.frombuffer(message.tensors["data"], np.uint8).ctypes.data % 64, 0)


if __name__ == "__main__":
    unittest.main()
