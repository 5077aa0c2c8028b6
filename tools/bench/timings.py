"""Statistics of timings on a machine that others use too: medians, and order statistics without any distribution."""
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

CONFIDENCE = 0.95      # of every interval and of every word
MINIMUM_EFFECT = 0.02  # a difference below this is called none, however certain it is
TAIL = (1 - CONFIDENCE) / 2

FASTER, SLOWER, NO_DIFFERENCE, TOO_FEW_ROUNDS = "faster", "slower", "no difference", "too few rounds"


@dataclass(frozen=True)
class Comparison:
    """The speed of one thing relative to another."""
    ratio: float = 1  # of the other's time to this one's: above 1, this one is faster
    low: float = 0    # the ratio is between these, with CONFIDENCE
    high: float = 0
    word: str = TOO_FEW_ROUNDS


def quantile(values: Sequence[float], part: float) -> float:
    """Returns the value below which the share `part` of the values is, interpolated linearly."""
    ordered = sorted(values)
    below, fraction = divmod(part * (len(ordered) - 1), 1)
    low, high = ordered[int(below)], ordered[min(int(below) + 1, len(ordered) - 1)]
    return low + fraction * (high - low)


def median(values: Sequence[float]) -> float:
    return quantile(values, 0.5)


def geometric_mean(values: Sequence[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values)) if values else 0


def rank_within(probabilities: Iterable[float]) -> int:
    """Returns how many of the ordered values an interval may leave out at either end, counting from the least likely."""
    below, rank = 0.0, 0
    for probability in probabilities:
        below += probability
        if below > TAIL:
            break
        rank += 1
    return rank


@cache
def sign_test_rank(count: int) -> int:
    return rank_within(math.comb(count, least) / 2**count for least in range(count // 2))


@cache
def mann_whitney_rank(first: int, second: int) -> int:
    pairs = first * second
    if first + second > 50:  # the normal distribution is close enough
        deviation = math.sqrt(pairs * (first + second + 1) / 12)
        return max(0, math.floor(pairs / 2 - NormalDist().inv_cdf(1 - TAIL) * deviation))
    # The number of orders with each number of inverted pairs: the coefficients of the Gaussian binomial.
    counts = [1] + [0] * (pairs // 2)
    for factor in range(1, second + 1):
        for power in range(len(counts) - 1, first + factor - 1, -1):
            counts[power] -= counts[power - first - factor]
        for power in range(factor, len(counts)):
            counts[power] += counts[power - factor]
    return rank_within(count / math.comb(first + second, first) for count in counts)


def judged(ratios: list[float], rank: int, effect: float) -> Comparison:
    if not ratios:
        return Comparison()
    ratios.sort()
    ratio = median(ratios)
    if rank == 0:
        return Comparison(ratio, 0, math.inf)
    low, high, word = ratios[rank - 1], ratios[-rank], NO_DIFFERENCE
    if low > 1 and ratio >= 1 + effect:
        word = FASTER
    if high < 1 and ratio <= 1 / (1 + effect):
        word = SLOWER
    return Comparison(ratio, low, high, word)


def compare_paired(times: Sequence[float], others: Sequence[float], effect: float = MINIMUM_EFFECT) -> Comparison:
    """Compares round i of one with round i of the other, taken next to it, by the sign test: it needs six rounds."""
    ratios = [other / time for time, other in zip(times, others)]
    return judged(ratios, sign_test_rank(len(ratios)), effect)


def compare_unpaired(times: Sequence[float], others: Sequence[float], effect: float = MINIMUM_EFFECT) -> Comparison:
    """Compares two runs, whose rounds are independent, by the test of Mann and Whitney: it needs four rounds
    each. The ratio is that of Hodges and Lehmann."""
    ratios = [other / time for time in times for other in others]
    return judged(ratios, mann_whitney_rank(len(times), len(others)), effect)
