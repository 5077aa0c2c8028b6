"""Tests that people with any colour vision can distinguish the series of a picture."""
import itertools
import unittest

import style

# Linear red, green and blue as they are seen without one kind of cones (Machado, Oliveira and Fernandes, 2009).
VISIONS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))


def product(matrix, vector):
    return [min(max(sum(one * other for one, other in zip(row, vector)), 0), 1.1) for row in matrix]


def linear(colour):
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(rgb):
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
               for part in (each / white for each, white in zip(product(TO_XYZ, rgb), (0.95047, 1, 1.08883))))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one, other, vision):
    """Returns how far apart two colours are seen: 2.3 is just noticeable."""
    seen = [lab(product(VISIONS[vision], linear(colour))) for colour in (one, other)]
    return sum((a - b) ** 2 for a, b in zip(*seen)) ** 0.5


def contrast(one, other):
    lights = sorted(product(TO_XYZ, linear(colour))[1] + 0.05 for colour in (one, other))
    return lights[1] / lights[0]


class Style(unittest.TestCase):
    def test_every_two_colours_are_far_apart_in_every_vision(self):
        for page, vision in itertools.product((0, 1), VISIONS):
            colours = [style.LIMIT[page], *(series[page] for series in style.SERIES)]
            for one, other in itertools.combinations(colours, 2):
                self.assertGreater(distance(one, other, vision), 15, (vision, one, other))

    def test_everything_stands_out_from_the_page(self):
        for page in (0, 1):
            for text in (style.TEXT, style.FAINT, style.LIMIT):
                self.assertGreater(contrast(text[page], style.GROUND[page]), 4.5, text)
            for series in style.SERIES:
                self.assertGreater(contrast(series[page], style.GROUND[page]), 2, series)

    def test_series_that_share_a_colour_differ_in_shape(self):
        self.assertEqual(len({(style.colour(series), style.mark(series)) for series in range(45)}), 45)


if __name__ == "__main__":
    unittest.main()
