"""What changed between two runs, whether a gate is broken, and the shares of a run for github-action-benchmark. The statistics are
order statistics, without any distribution, because others use the machine too."""
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist, median, quantiles
from typing import Any

from run_file import TEMPERATURES, Rounds, RunError, Share, limit_text, read_run, shortened, subject_of, three_digits, writing_share

CONFIDENCE = 0.95      # of every interval and of every word
MINIMUM_EFFECT = 0.02  # a difference below this is called none, however certain it is
FASTER, SLOWER, NO_DIFFERENCE, TOO_FEW_ROUNDS = "faster", "slower", "no difference", "too few rounds"


@dataclass(frozen=True)
class Comparison:
    """The speed of one thing relative to another."""
    ratio: float  # of the other's time to this one's: above 1, this one is faster
    low: float    # the ratio is between these, with CONFIDENCE
    high: float
    word: str

    def __str__(self) -> str:
        interval = "" if self.word == TOO_FEW_ROUNDS else f"{three_digits(self.low)} to {three_digits(self.high)}"
        return f"{three_digits(self.ratio):>4} {interval:<13}"


def sign_test_rank(count: int) -> int:
    """Returns how many of that many ordered ratios an interval leaves out at either end."""
    rank, below = 0, 1 / 2**count
    while below <= (1 - CONFIDENCE) / 2:
        rank += 1
        below += math.comb(count, rank) / 2**count
    return rank


def mann_whitney_rank(first: int, second: int) -> int:
    deviation = math.sqrt(first * second * (first + second + 1) / 12)
    return max(0, math.floor(first * second / 2 - NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * deviation))


def judged(ratios: list[float], rank: int, effect: float) -> Comparison:
    ratios.sort()
    if rank == 0:
        return Comparison(median(ratios) if ratios else 1, 0, math.inf, TOO_FEW_ROUNDS)
    ratio, low, high, word = median(ratios), ratios[rank - 1], ratios[-rank], NO_DIFFERENCE
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
    """Compares two runs, whose rounds are independent, by the test of Mann and Whitney: it needs four rounds each. The ratio is that of
    Hodges and Lehmann."""
    return judged([other / time for time in times for other in others], mann_whitney_rank(len(times), len(others)), effect)


@dataclass(frozen=True)
class Timed:
    """The timing of one subject on one case at one temperature in a run."""
    name: str
    case: Any
    temperature: str
    rounds: Rounds
    share: Share | None

    @property
    def key(self) -> str:
        return f"{self.name}/{self.case.literal}{'/cold' if self.temperature == 'cold' else ''}"


def everything_timed(run: Any) -> Iterator[Timed]:
    for case in run.cases:
        for subject in case.subjects:
            for temperature in TEMPERATURES:
                if rounds := getattr(subject, temperature):
                    yield Timed(shortened(subject.name, 80), case, temperature, rounds, writing_share(run, case, subject, temperature))


def relative_spread(values: list[float]) -> float:
    """Returns half the width of the middle half, relative to the median: the possible distance between the medians of two runs that
    differ only in the load of the machine."""
    low, middle, high = quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return (high - low) / 2 / middle


def change_line(before: Timed, now: Timed, options: Any) -> tuple[str, str]:
    """Returns the word of a change, and the line about it."""
    times, shares = (now.rounds.times, before.rounds.times), None
    if now.share and before.share:  # greater is better, so the inverse behaves as a time does
        shares = [1 / share for share in now.share.rounds], [1 / share for share in before.share.rounds]
    deciding = times if options.by_time or not shares else shares
    bound = max(options.noise, *map(relative_spread, deciding))
    word = compare_unpaired(*deciding, bound).word
    name = now.name + (", cold" if now.temperature == "cold" else "")
    share = str(compare_unpaired(*shares, bound)) if shares else ""
    return word, (f"  {name:<24} {share:>18} {compare_unpaired(*times, bound)!s:>18}  {100 * bound:>4.0f} %  {word:<14} "
                  f"{shortened(now.case.literal, 80)}")


def has_regression(old: Any, new: Any, options: Any) -> bool:
    """Prints what changed, and returns true if something became slower or fails."""
    lines = [f"warning: the machines differ in {name}: {before or 'not known'} before, {now or 'not known'} now"
             for name, before in vars(old.machine).items() if name != "commit" and before != (now := vars(new.machine).get(name))]
    # Of a repeated case the first.
    before, now = ({timed.key: timed for timed in reversed(list(everything_timed(run)))} for run in (old, new))
    failing = {f"{shortened(subject.name, 80)}/{case.literal}" for case in new.cases for subject in case.subjects
               if subject.verdict == "fail"}
    changes = [change_line(before[key], timed, options) for key, timed in reversed(now.items()) if key in before]
    if not changes:
        raise RunError("the two runs have no case of one backend in common")
    lines += [f"  {'backend':<24} {'share, new to old':>18} {'speed, new to old':>18}  {'bound':>6}  {'':<14} case"]
    lines += [line for _, line in changes]
    fails = [key for key in before if key not in now and key.removesuffix("/cold") in failing]
    lines += [f"fails now: {key}" for key in fails]
    lines += [f"only in the old run: {key}" for key in before if key not in now and key not in fails]
    lines += [f"only in the new run: {key}" for key in now if key not in before]
    words = [word for word, _ in changes]
    counts = ", ".join(f"{words.count(word)} {word}" for word in (FASTER, SLOWER, NO_DIFFERENCE, TOO_FEW_ROUNDS))
    decides = "the time per call" if options.by_time else "the share of the limit that each run measured for itself"
    print("\n".join([*lines, f"{len(changes)} compared: {counts}",
                     f"What decides is {decides}. A change counts when its {100 * CONFIDENCE:.0f} % interval (Mann and Whitney) excludes 1",
                     f"and it exceeds the bound: {100 * options.noise:.0f} %, or, where that is more, half of what the middle half of "
                     "the rounds spans in either run."]))
    return bool(fails) or SLOWER in words


def is_slower_than_baseline(run: Any, only: str, options: Any) -> bool:
    compared = broken = 0
    for case in run.cases:
        baseline = subject_of(case, run.baseline)
        for subject in case.subjects:
            if subject.name == run.baseline or only not in ("", subject.name) or not (subject.hot and baseline and baseline.hot):
                continue
            compared += 1
            found = compare_paired(subject.hot.times, baseline.hot.times, options.noise)
            if found.word == SLOWER:
                broken += 1
                print(f"slower than {run.baseline}: {subject.name} on {case.literal}: {found} of its speed".replace("  ", " "))
    if compared == 0:
        raise RunError("the gate compares with the baseline, but nothing was timed with it")
    print(f"gate: {compared} compared with {run.baseline}, {broken} slower by more than {100 * options.noise:.0f} %")
    return broken > 0


def is_broken(run: Any, rule: str, options: Any) -> bool:
    """Applies a rule: the path of an older run; `baseline`: nothing is slower than the baseline beyond the noise; or `baseline:NAME`, the
    same for one subject. A subject that was not timed because it failed breaks every rule."""
    kind, _, only = rule.partition(":")
    broken = is_slower_than_baseline(run, only, options) if kind == "baseline" else has_regression(read_run(rule), run, options)
    for case in run.cases:
        for subject in case.subjects:
            if subject.verdict == "fail":
                broken = True
                print(f"fails: {subject.name} on {case.literal}: {shortened(subject.why, 200)}")
    return broken


def action_json(run: Any) -> str:
    """Returns percent of the machine's limit, which survive a change of the runner, for customBiggerIsBetter."""
    return json.dumps([
        {"name": timed.key, "unit": "% of the limit", "value": 100 * timed.share.median,
         "range": f"± {100 * relative_spread(timed.share.rounds) * timed.share.median:.2f}",
         "extra": f"regime: {timed.case.regime}\nrounds: {len(timed.rounds.times)}\ncalls in each: {timed.rounds.calls}\n"
                  f"GB/s: {three_digits(timed.case.output_bytes / timed.rounds.median)}\nlimit: {limit_text(timed.share.limit)}"}
        for timed in everything_timed(run) if timed.share], indent=1, ensure_ascii=False) + "\n"
