"""The function keeps its claim: certile certifies it."""
import unittest

import certile


class Tile(unittest.TestCase):
    def test_is_conformant(self):
        run = certile.certify("tile.py:tile", tier="smoke")  # "core" is what a certificate rests on
        self.assertTrue(run.conformant, f"\n{run}")


if __name__ == "__main__":
    unittest.main()
