#!/usr/bin/env python3
"""Holds the Python package's and the C header's element types against their one table, reference/values/element_type.inc."""
import re
import sys
import unittest
from pathlib import Path

WORKER = Path(__file__).resolve().parent
ROOT = WORKER.parent.parent
sys.path.insert(0, str(WORKER / "python"))

try:
    from certile import elements
    HAS_NUMPY = True
except ImportError:
    HAS_NUMPY = False

ROW = re.compile(r"^ELEMENT_TYPE\((\w+), (\d+), (\w+), (\w+), (CERTILE_\w+), (.*)\)$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "reference/values/element_type.inc").read_text(encoding="utf-8"))


class ElementTypes(unittest.TestCase):
    def test_the_table_has_rows(self):
        self.assertEqual(len(ROWS), 27)

    def test_the_header_has_the_same_types_in_the_same_order(self):
        header = (ROOT / "backends/plugin/certile_plugin.h").read_text(encoding="utf-8")
        types = header[header.index("element types;"):]
        numbers = re.findall(r"(CERTILE_\w+) = (\d+)", types[:types.index("};")])
        self.assertEqual(numbers, [(row[4], str(at)) for at, row in enumerate(ROWS, start=1)])

    def test_a_number_is_called_as_its_type(self):
        self.assertEqual([row[4] for row in ROWS], [f"CERTILE_{row[0].upper()}" for row in ROWS])

    @unittest.skipUnless(HAS_NUMPY, "NumPy is not installed")
    def test_the_package_has_the_same_widths(self):
        self.assertEqual(elements.BITS, {row[0]: int(row[1]) for row in ROWS if row[0] != "string"})

    @unittest.skipUnless(HAS_NUMPY, "NumPy is not installed")
    def test_the_package_packs_the_same_types(self):
        self.assertEqual(set(elements.PACKED_BITS), {row[0] for row in ROWS if row[3] != "WHOLE_BYTES"})
        for name in elements.PACKED_BITS:
            packing = next(row[3] for row in ROWS if row[0] == name)
            self.assertEqual(elements._order(name), "big" if packing == "HIGH_FIRST" else "little", name)

    @unittest.skipUnless(HAS_NUMPY, "NumPy is not installed")
    def test_the_package_takes_integers_of_whole_bytes_for_repeats(self):
        self.assertEqual(set(elements.INTEGER_TYPES),
                         {row[0] for row in ROWS if row[2].endswith("_integer") and row[3] == "WHOLE_BYTES"})


if __name__ == "__main__":
    unittest.main()
