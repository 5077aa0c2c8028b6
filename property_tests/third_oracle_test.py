#!/usr/bin/env python3
"""The third oracle agrees with what is known to be right, and with nothing else."""
import unittest

import third_oracle

LITERAL = "onnx-tile-13 u8[2] x i64{2}"


def answer(data):
    return "u8[4] " + third_oracle.hashlib.sha256(bytes(data)).hexdigest()


class ThirdOracle(unittest.TestCase):
    def setUp(self):
        self.data = third_oracle.filled("openvino-tile-1", "u8", (2,), "index", 0).tolist()

    def test_agrees_with_the_right_answer(self):
        self.assertEqual(third_oracle.compare(LITERAL, answer(self.data * 2)), (None, None))

    def test_sees_an_element_at_another_place(self):
        first, second = self.data
        self.assertEqual(third_oracle.compare(LITERAL, answer([first, first, second, second]))[1],
                         "NumPy's elements are others")

    def test_sees_another_shape(self):
        self.assertEqual(third_oracle.compare(LITERAL, "u8[2,2] 00")[1], "NumPy's answer is u8[4]")

    def test_sees_a_refusal_that_is_not_due(self):
        self.assertEqual(third_oracle.compare(LITERAL, "reject ONNX-T13-I3")[1], "expected an answer")

    def test_sees_a_refusal_that_is_missing(self):
        self.assertEqual(third_oracle.compare("onnx-tile-13 u8[2] x i64{-2}", "u8[0]")[1],
                         "expected ('X3', 'negative')")

    def test_counts_a_known_difference(self):
        self.assertEqual(third_oracle.compare("openvino-tile-1 u8[2] x i64{-2} @infer", "u8[0]"), ("negative", None))
        self.assertEqual(third_oracle.compare("onnx-tile-6 u8[2] x i64{2,2}", "reject ONNX-T6-I3"), ("length", None))

    def test_packs_elements_as_certile_does(self):
        np = third_oracle.np
        self.assertEqual(third_oracle.content("u4", np.array([1, 2, 3], np.uint8)), b"\x21\x03")
        self.assertEqual(third_oracle.content("u3", np.array([7, 0, 7], np.uint8)), b"\xc7\x01")
        self.assertEqual(third_oracle.content("u1", np.array([1, 0, 1], np.uint8)), b"\xa0")


if __name__ == "__main__":
    if third_oracle.np is None:
        third_oracle.with_numpy()
    unittest.main()
