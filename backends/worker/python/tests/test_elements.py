"""Element types: the packed bytes are those of the protocol."""
import unittest

import asking  # noqa: F401, finds the package

import numpy as np

from certile import DTYPES, PACKED_BITS, Operand, Unsupported, dtype_of, operand_from, pack_bits, unpack_bits


class PackedTypes(unittest.TestCase):
    def test_bits_count_from_the_low_end_of_each_byte(self):
        self.assertEqual(pack_bits(np.array([1, 2, 3], np.uint8), "i4"), b"\x21\x03")
        self.assertEqual(pack_bits(np.array([7, 0, 7], np.uint8), "u3"), b"\xc7\x01")

    def test_bits_of_u1_count_from_the_high_end(self):
        self.assertEqual(pack_bits(np.array([1, 0, 1], np.uint8), "u1"), b"\xa0")

    def test_every_pattern_comes_back_at_every_place(self):
        for name, width in PACKED_BITS.items():
            elements = np.arange(200, dtype=np.uint8) % (1 << width)
            for count in range(1, 17):
                with self.subTest(name, count=count):
                    there = pack_bits(elements[:count], name)
                    self.assertEqual(len(there), (count * width + 7) // 8)
                    np.testing.assert_array_equal(unpack_bits(there, name, count), elements[:count])

    def test_nothing_is_empty_bytes(self):
        self.assertEqual(pack_bits(np.empty((0, 3), np.uint8), "u6"), b"")
        self.assertEqual(unpack_bits(b"", "u6", 0).shape, (0,))

    def test_too_few_bytes_are_an_error(self):
        with self.assertRaisesRegex(ValueError, "5 elements of i4 take 3 bytes, not 2"):
            unpack_bits(b"\x21\x03", "i4", 5)

    @unittest.skipUnless("i4" in DTYPES, "ml_dtypes is not installed")
    def test_a_negative_i4_is_one(self):
        self.assertEqual(Operand("i4", (2,), b"\xf8").array().tolist(), [-8, -1])
        self.assertEqual(bytes(operand_from(np.array([-8, -1], DTYPES["i4"]), "i4").content), b"\xf8")


class Operands(unittest.TestCase):
    def test_an_array_may_be_written_to(self):
        array = Operand("f32", (1,), bytes(4)).array()
        array[0] = 1
        self.assertEqual(array.tolist(), [1])

    def test_bytes_that_lie_aligned_are_not_copied(self):
        content = memoryview(bytearray(8))
        self.assertTrue(np.shares_memory(Operand("f32", (2,), content).array(), np.frombuffer(content, np.uint8)))

    def test_bytes_that_lie_elsewhere_are_copied_where_they_are_aligned(self):
        array = Operand("i64", (1,), memoryview(bytearray(9))[1:]).array()
        self.assertTrue(array.flags.aligned)

    def test_strings_come_and_go_as_bytes(self):
        content = bytes.fromhex("00000000000000000200000000000000020000000000000003000000000000006162" "63")
        operand = Operand("string", (3,), content)
        self.assertEqual(operand.array().tolist(), [b"ab", b"", b"c"])
        self.assertEqual(operand_from(operand.array(), "string").content, content)

    def test_a_type_that_nothing_holds_is_a_byte_for_each_element(self):
        self.assertEqual(Operand("u3", (2,), b"\x3d").array().tolist(), [5, 7])
        made = operand_from(np.array([5, 7], np.uint8), "u3")
        self.assertEqual((made.type, bytes(made.content)), ("u3", b"\x3d"))

    def test_an_output_of_another_type_says_so(self):
        self.assertEqual(operand_from(np.array([1.0]), "f32").type, "f64")

    def test_an_output_that_is_no_type_of_certile_is_an_error(self):
        with self.assertRaisesRegex(TypeError, "datetime64"):
            operand_from(np.array(["2020-01-01"], "datetime64[D]"), "i64")

    def test_an_output_that_lies_strided_is_made_dense(self):
        wide = np.arange(20000, dtype=np.int32).reshape(2, 10000)
        self.assertEqual(bytes(operand_from(wide.T, "i32").content), np.ascontiguousarray(wide.T).tobytes())

    def test_an_operand_that_does_not_hold_together_is_an_error(self):
        for kind, shape, content in (("u8", (-2, 0), b""), ("i4", (3,), b"1"), ("bf16", (1,), b"1"), ("f128", (0,), b"")):
            with self.subTest(kind), self.assertRaises((TypeError, ValueError)):
                operand_from(Operand(kind, shape, content), "u8")
        whole = Operand("i4", (3,), b"12")
        self.assertIs(operand_from(whole, "u8"), whole)

    def test_an_unknown_type_is_unsupported(self):
        with self.assertRaises(LookupError):
            dtype_of("f128")
        with self.assertRaises(Unsupported):
            Operand("f128", (1,), bytes(16)).array()

    def test_a_shape_that_numpy_lacks_is_unsupported(self):
        for kind, content in (("f32", b""), ("u1", b""), ("string", bytes(8))):
            with self.subTest(kind), self.assertRaisesRegex(Unsupported, "NumPy has no array of this shape"):
                Operand(kind, (0, 2**62, 2**62), content).array()


if __name__ == "__main__":
    unittest.main()
