"""The statistics: medians, intervals and words."""
import math
import unittest

from timings import (
    FASTER,
    NO_DIFFERENCE,
    SLOWER,
    TOO_FEW_ROUNDS,
    compare_paired,
    compare_unpaired,
    geometric_mean,
    mann_whitney_rank,
    median,
    quantile,
    sign_test_rank,
)

QUICK, SLOW = [10, 11, 10, 12, 10, 11, 10, 11, 10, 10], [20, 22, 21, 25, 20, 22, 20, 23, 20, 20]


class Timings(unittest.TestCase):
    def test_the_median_of_an_even_number_lies_between_the_middle_two(self):
        self.assertEqual(median([4, 1, 3, 2]), 2.5)
        self.assertEqual(quantile([10, 0, 9, 1, 8, 2, 7, 3, 6, 4, 5], 0.1), 1)
        self.assertEqual(quantile([7], 0.9), 7)

    def test_a_clear_difference_is_called_by_its_name(self):
        for compare in (compare_paired, compare_unpaired):
            self.assertEqual(compare(QUICK, SLOW).word, FASTER)
            self.assertEqual(compare(SLOW, QUICK).word, SLOWER)

    def test_noise_is_no_difference(self):
        one, other = [10, 30, 12, 28, 11, 29, 13, 27, 10, 30], [30, 10, 28, 12, 29, 11, 27, 13, 30, 10]
        self.assertEqual(compare_paired(one, other).word, NO_DIFFERENCE)
        self.assertEqual(compare_unpaired(one, other).word, NO_DIFFERENCE)

    def test_a_difference_below_the_minimum_effect_is_none(self):
        self.assertEqual(compare_paired([100] * 20, [101] * 20).word, NO_DIFFERENCE)
        self.assertEqual(compare_paired([100] * 20, [101] * 20, 0.005).word, FASTER)

    def test_rounds_that_suffer_together_are_compared_within_the_round(self):
        one = [10, 100, 20, 500, 15, 80, 12]
        other = [time * 1.2 for time in one]
        self.assertAlmostEqual(compare_paired(one, other).ratio, 1.2)
        self.assertEqual(compare_paired(one, other).word, FASTER)
        self.assertEqual(compare_unpaired(one, other).word, NO_DIFFERENCE)

    def test_a_word_needs_six_rounds_in_pairs_and_four_without(self):
        self.assertEqual([compare_paired([1] * count, [2] * count).word for count in (5, 6)], [TOO_FEW_ROUNDS, FASTER])
        self.assertEqual([compare_unpaired([1] * count, [2] * count).word for count in (3, 4)], [TOO_FEW_ROUNDS, FASTER])
        self.assertEqual(compare_paired([1] * 5, [2] * 5).ratio, 2)

    def test_ranks_are_those_of_the_tables(self):
        # Critical values of the sign test, and of Mann and Whitney's U, at 5 % on both sides, and one more.
        self.assertEqual([sign_test_rank(count) for count in (5, 6, 15, 25)], [0, 1, 4, 8])
        self.assertEqual([mann_whitney_rank(*counts) for counts in ((3, 4), (4, 4), (5, 5), (8, 10), (20, 20))], [0, 1, 3, 18, 128])

    def test_intervals_end_at_these_ranks(self):
        paired = compare_paired([1] * 15, list(range(1, 16)))
        self.assertEqual((paired.low, paired.high), (4, 12))
        times, others = [1, 32, 1024, 32768, 1048576], [1, 2, 4, 8, 16]  # all 25 ratios differ
        ratios = sorted(other / time for time in times for other in others)
        unpaired = compare_unpaired(times, others)
        self.assertEqual((unpaired.low, unpaired.ratio, unpaired.high), (ratios[2], ratios[12], ratios[22]))

    def test_beyond_fifty_rounds_the_ranks_go_on(self):
        self.assertAlmostEqual(mann_whitney_rank(25, 25) / mann_whitney_rank(25, 26), 25 / 26, delta=0.02)
        many = compare_unpaired([100 + index * 7 % 11 for index in range(60)], [120 + index * 5 % 11 for index in range(60)])
        self.assertTrue(1.15 < many.low < many.high < 1.25)

    def test_the_geometric_mean_of_a_ratio_and_its_inverse_is_one(self):
        self.assertAlmostEqual(geometric_mean([4, 0.25]), 1)
        self.assertEqual(geometric_mean([]), 0)
        self.assertEqual(compare_paired([], []).word, TOO_FEW_ROUNDS)
        self.assertEqual(compare_paired([1], [2]).high, math.inf)


if __name__ == "__main__":
    unittest.main()
