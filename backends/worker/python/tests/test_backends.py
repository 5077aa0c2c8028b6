"""Backends: the arguments of a function, and the use of its results."""
import functools
import sys
import unittest
from pathlib import Path

import asking

import numpy as np

import certile


def made(function, **claim):
    return certile.backend(**{"name": "one", "version": "1", **claim})(function)


def status(function, **claim):
    words, _ = asking.answered(made(function, **claim), asking.call())
    return words["status"], words.get("why")


def bytes_of(content):
    return np.frombuffer(content, np.uint8)


def seven_and_nine_twice():
    return certile.Call("openvino-tile-1", certile.Operand("u8", (2,), b"\x07\x09"), certile.Operand("i64", (1,), bytes([2, *[0] * 7])))


def raising(error):
    def tile(data, repeats):
        raise error
    return tile


class Parameters(unittest.TestCase):
    def test_a_function_gets_data_and_repeats(self):
        words, tensors = asking.answered(made(np.tile), asking.call())
        self.assertEqual((words["out.type"], words["out.shape"], tensors["out"]), ("u8", "4", b"\x07\x09\x07\x09"))

    def test_a_function_that_asks_for_the_axis_gets_it(self):
        seen = []

        def tile(data, repeats, *, axis, call):
            seen.append((axis, call.operator, call.data.type))
            return data
        backend = made(tile, operators=["onnx-tile-1", "onnx-tile-6"])
        asking.answered(backend, asking.call(operator="onnx-tile-1", axis=1))
        asking.answered(backend, asking.call(operator="onnx-tile-6"))
        self.assertEqual(seen, [(np.array(1), "onnx-tile-1", "u8"), (None, "onnx-tile-6", "u8")])

    def test_a_function_of_a_call_has_the_bytes_and_no_array(self):
        def tile(call):
            return certile.Operand(call.data.type, (4,), bytes(call.data.content) * 2)
        words, tensors = asking.answered(made(tile, types=["bf16", "u8"]), asking.call())
        self.assertEqual((words["out.shape"], tensors["out"]), ("4", b"\x07\x09\x07\x09"))

    def test_a_backend_is_called_like_its_function(self):
        self.assertEqual(made(np.tile)([1, 2], 2).tolist(), [1, 2, 1, 2])

    def test_shapes_are_inferred_without_data(self):
        backend = made(np.tile, infer=lambda shape, repeats: [size * count for size, count in zip(shape, repeats.tolist())])
        words, tensors = asking.answered(backend, asking.call(command="infer", shape=str(2**40), repeats=[2**20]))
        self.assertEqual((words["shape"], tensors), (str(2**60), {}))


class Outcomes(unittest.TestCase):
    def test_what_is_raised_becomes_a_status(self):
        self.assertEqual(status(raising(certile.Rejected("no"))), ("rejected", "no"))
        self.assertEqual(status(raising(certile.Unsupported("no"))), ("unsupported", "no"))
        self.assertEqual(status(raising(certile.NoMemory("no"))), ("no_memory", "no"))
        self.assertEqual(status(raising(MemoryError())), ("no_memory", "MemoryError: "))

    def test_only_what_is_listed_is_a_refusal(self):
        failed, why = status(raising(ValueError("no")))
        self.assertEqual((failed, why.split("\n")[0]), ("failed", "ValueError: no"))
        self.assertEqual(status(raising(ValueError("no")), rejects=[ValueError]), ("rejected", "no"))

    def test_text_that_is_no_unicode_is_said_all_the_same(self):
        self.assertEqual(status(raising(certile.Rejected("a \udcff b"))), ("rejected", "a ? b"))

    def test_an_output_of_no_element_type_is_a_failure(self):
        self.assertEqual(status(lambda data, repeats: None)[0], "failed")

    def test_what_is_not_claimed_is_not_called(self):
        words, _ = asking.answered(made(raising(AssertionError()), types=["f32"]), asking.call())
        self.assertEqual((words["status"], words["why"]), ("unsupported", "not claimed"))


class Claims(unittest.TestCase):
    def test_the_claim_is_said_to_hello(self):
        backend = made(np.tile, types=["f32", "i64"], repeats_types=["i64"], max_rank=32, issues="https://example.org")
        words, _ = asking.answered(backend, ({"cmd": "hello", "protocol": "1"}, {}))
        self.assertEqual(words, {"seq": "9", "status": "ok", "name": "one", "version": "1", "operators": "openvino-tile-1",
                                 "types": "f32 i64", "repeats_types": "i64", "max_rank": "32", "infer": "no",
                                 "issues": "https://example.org"})

    def test_a_claim_that_cannot_be_kept_is_an_error(self):
        for claim, said in (({"operators": ["tile"]}, "there is no operator 'tile'"),
                            ({"types": ["float32"]}, "there is no element type float32"),
                            ({"repeats_types": ["f32"]}, "repeats cannot be 'f32'"),
                            ({"operators": ["onnx-tile-1"]}, "onnx-tile-1 has an axis")):
            with self.subTest(said), self.assertRaisesRegex(ValueError, said):
                made(np.tile, **claim)


class Times(unittest.TestCase):
    def test_every_repetition_is_one_call_of_the_function(self):
        calls = []
        words, tensors = asking.answered(made(lambda data, repeats: calls.append(1)),
                                         asking.call(command="time", repetitions="3"))
        self.assertEqual((words["status"], len(tensors["nanoseconds"]), len(calls)), ("ok", 24, 3))

    def test_the_function_alone_is_timed_with_its_arguments_made_before(self):
        for function, given in ((np.tile, 2), (lambda call: call, 1)):
            timed, output = made(function).prepare(seven_and_nine_twice())
            assert isinstance(timed, functools.partial)
            self.assertEqual((timed.func, len(timed.args), timed.keywords, output), (function, given, {}, None))

    def test_numpy_is_timed_with_the_repeats_that_a_program_writes(self):
        sys.path.insert(0, str(Path(certile.__file__).parents[2] / "adapters"))
        import numpy_worker  # pylint: disable=import-outside-toplevel, import-error
        timed = numpy_worker.tile.prepare(seven_and_nine_twice())[0]
        assert isinstance(timed, functools.partial)
        self.assertEqual((timed.func, timed.args[1:], timed().tolist()), (np.tile, ([2],), [7, 9, 7, 9]))

    def timed(self, prepare, function=np.tile, **asked):
        return asking.answered(made(function, prepare=prepare), asking.call(command="time", repetitions="3", **asked))

    def test_what_prepare_returns_is_timed_alone(self):
        calls = []

        def function(data, repeats):
            calls.append("run")
            return np.tile(data, repeats)

        def timed():
            calls.append("timed")
            return bytes_of(b"\x07\x09\x07\x09")
        words, tensors = self.timed(lambda call: timed, function)
        self.assertEqual((words["status"], len(tensors["nanoseconds"])), ("ok", 24), words)
        self.assertEqual(calls, ["timed", "timed", "timed", "run"])

    def test_other_bytes_than_the_function_gives_are_no_time(self):
        words, tensors = self.timed(lambda call: lambda: bytes_of(b"\x07\x09\x07\x08"))
        self.assertEqual((words["status"], tensors), ("failed", {}))
        self.assertIn("other bytes than the function does, in Operand(u8[4], 4 bytes) from byte 0 on", words["why"])

    def test_another_shape_than_the_function_gives_is_no_time(self):
        words, _ = self.timed(lambda call: lambda: np.zeros((2, 2), np.uint8))
        self.assertEqual(words["status"], "failed")
        self.assertIn("Operand(u8[2,2], 4 bytes), and the function gives Operand(u8[4], 4 bytes)", words["why"])

    def test_calls_that_return_nothing_are_no_time(self):
        self.assertEqual(self.timed(lambda call: lambda: None)[0]["status"], "failed")

    def test_an_output_that_is_bound_is_looked_at_after_the_last_call(self):
        for right in (True, False):
            out = np.zeros(4, np.uint8)

            def fill(out=out, right=right):
                out[:] = [7, 9, 7, 9 if right else 0]
            with self.subTest(right=right):
                words, _ = self.timed(lambda call, out=out, fill=fill: (fill, lambda result: out))
                self.assertEqual(words["status"], "ok" if right else "failed", words)

    def test_one_wrong_byte_in_many_pieces_is_seen(self):
        size = 5 << 19  # two pieces and a half
        for place in (0, (1 << 20) - 1, 1 << 20, size - 1):
            out = np.full(size, 7, np.uint8)
            out[place] = 8
            with self.subTest(place=place):
                words, _ = self.timed(lambda call, out=out: lambda: out, shape="1", data=b"\x07", repeats=[size])
                self.assertEqual(words["status"], "failed")

    def test_the_open_bits_of_a_packed_type_are_not_compared(self):
        def tile(call):
            return certile.Operand("u4", (3,), b"\x21\x03")
        for last, status_due in ((0x03, "ok"), (0xf3, "ok"), (0x02, "failed")):
            backend = made(tile, types=["u4"], prepare=lambda call, last=last: lambda: certile.Operand("u4", (3,), bytes([0x21, last])))
            with self.subTest(last=last):
                words, _ = asking.answered(backend, asking.call(kind="u4", shape="3", data=b"\x21\x03", repeats=[1], command="time",
                                                                repetitions="1"))
                self.assertEqual(words["status"], status_due, words)


if __name__ == "__main__":
    unittest.main()
