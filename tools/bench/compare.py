"""The changes between two runs."""
from collections.abc import Iterator
from dataclasses import dataclass, field

from run_file import TEMPERATURES, Machine, Rounds, Run, rounds_of
from shares import Share, writing_share
from timings import CONFIDENCE, FASTER, NO_DIFFERENCE, SLOWER, TOO_FEW_ROUNDS, Comparison, compare_unpaired, median, quantile
from words import counted, interval_text, printable, printable_name, shortened, three_digits


@dataclass(frozen=True)
class Options:
    noise: float = 0.05    # a smaller difference does not count, however certain it is
    by_time: bool = False  # decide by time per call; else by the share of each run's own limit


@dataclass
class Timed:
    """The timing of one subject on one case at one temperature in a run."""
    subject: str
    literal: str
    temperature: str
    rounds: Rounds
    share: Share | None

    @property
    def key(self) -> str:
        return f"{printable_name(self.subject)}/{self.literal}{'/cold' if self.temperature == 'cold' else ''}"


@dataclass
class Change:
    now: Timed
    time: Comparison  # the speed of the new run against the old one's
    share: Comparison | None  # of the share of the limit, where both runs have one
    bound: float  # the least difference that counts: the noise, or the spread of the deciding figure in either run
    word: str


@dataclass
class Differences:
    changes: list[Change] = field(default_factory=list)
    only_old: list[str] = field(default_factory=list)
    only_new: list[str] = field(default_factory=list)
    now_failing: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)  # differences of the machine or the build

    def count(self, word: str) -> int:
        return sum(change.word == word for change in self.changes)

    def is_regression(self) -> bool:
        return bool(self.now_failing) or self.count(SLOWER) > 0


def everything_timed(run: Run) -> Iterator[Timed]:
    for case in run.cases:
        for subject in case.subjects:
            for temperature in TEMPERATURES:
                if rounds := rounds_of(subject, temperature):
                    yield Timed(subject.name, case.literal, temperature, rounds, writing_share(run, case, subject, temperature))


def by_key(run: Run) -> dict[str, Timed]:
    """Returns the timings by key; of a repeated case the first."""
    found: dict[str, Timed] = {}
    for timed in everything_timed(run):
        found.setdefault(timed.key, timed)
    return found


def relative_spread(values: list[float]) -> float:
    """Returns half the width of the middle half, relative to the median: the possible distance between the medians of two runs
    that differ only in the load of the machine."""
    return (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values)


def change_between(before: Timed, now: Timed, options: Options) -> Change:
    times, shares = (now.rounds.times, before.rounds.times), None
    if now.share and before.share:  # greater is better, so the inverse behaves as a time does
        shares = [1 / share for share in now.share.rounds], [1 / share for share in before.share.rounds]
    deciding = times if options.by_time or not shares else shares
    bound = max(options.noise, *map(relative_spread, deciding))
    return Change(now, compare_unpaired(*times, bound), compare_unpaired(*shares, bound) if shares else None, bound,
                  compare_unpaired(*deciding, bound).word)


def warnings_of(old: Machine, new: Machine) -> list[str]:
    def caches(machine: Machine) -> str:
        return f"{machine.level1_bytes}, {machine.level2_bytes}, {machine.level3_bytes} bytes"
    facts = [("the processors", old.processor, new.processor), ("the numbers of cores", str(old.cores), str(new.cores)),
             ("the caches", caches(old), caches(new)), ("the governors", old.governor, new.governor),
             ("the systems", old.system, new.system), ("the pages", old.pages, new.pages),
             ("the compilers", old.compiler, new.compiler), ("the compilers' flags", old.flags, new.flags)]
    return [f"{what} differ: {printable(before) or 'not known'} before, {printable(now) or 'not known'} now"
            for what, before, now in facts if before != now]


def compare_runs(old: Run, new: Run, options: Options) -> Differences:
    before, now = by_key(old), by_key(new)
    failing = {(case.literal, subject.name) for case in new.cases for subject in case.subjects if subject.verdict == "fail"}
    found = Differences(warnings=warnings_of(old.machine, new.machine))
    for key, timed in now.items():
        if key in before:
            found.changes.append(change_between(before[key], timed, options))
        else:
            found.only_new.append(key)
    for key, timed in before.items():
        if key not in now:
            (found.now_failing if (timed.literal, timed.subject) in failing else found.only_old).append(key)
    return found


def comparison_text(comparison: Comparison) -> str:
    return f"{three_digits(comparison.ratio):>4} {interval_text(comparison):<13}"


def change_text(change: Change) -> str:
    name = printable_name(change.now.subject) + (", cold" if change.now.temperature == "cold" else "")
    share = comparison_text(change.share) if change.share else ""
    return (f"  {name:<24} {share:>18} {comparison_text(change.time):>18}  {100 * change.bound:>4.0f} %  {change.word:<14} "
            f"{shortened(change.now.literal, 80)}")


def comparison_report(found: Differences, options: Options) -> str:
    lines = [f"warning: {warning}" for warning in found.warnings]
    if found.changes:
        lines.append(f"  {'backend':<24} {'share, new to old':>18} {'speed, new to old':>18}  {'bound':>6}  {'':<14} case")
    lines += map(change_text, found.changes)
    lines += [f"fails now: {key}" for key in found.now_failing]
    lines += [f"only in the old run: {key}" for key in found.only_old]
    lines += [f"only in the new run: {key}" for key in found.only_new]
    decides = ("the time per call" if options.by_time
               else "the share of the limit that each run measured for itself (time, where one has none)")
    lines += [f"{counted(len(found.changes), 'figure')} compared: {found.count(FASTER)} faster, {found.count(SLOWER)} slower, "
              f"{found.count(NO_DIFFERENCE)} no difference, {found.count(TOO_FEW_ROUNDS)} of too few rounds",
              f"What decides is {decides}. A change counts when its {100 * CONFIDENCE:.0f} % interval (Mann and Whitney) excludes 1",
              f"and it exceeds the bound: {100 * options.noise:.0f} %, or, where that is more, half of what the middle half of the "
              "rounds spans in either run."]
    return "\n".join(lines)
