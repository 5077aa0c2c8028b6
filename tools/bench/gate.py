"""The rules that fail a run."""
from compare import Options, compare_runs, comparison_report
from run_file import Run, read_run
from timings import SLOWER, compare_paired
from words import counted, interval_text, printable, printable_name, shortened, three_digits


class CannotDecide(Exception):
    """A rule cannot be applied to this run."""


def has_regression(old: Run, new: Run, options: Options) -> bool:
    """Prints the comparison, and returns true if something became slower or fails."""
    found = compare_runs(old, new, options)
    print(comparison_report(found, options))
    if not found.changes:
        raise CannotDecide("the two runs have no case of one backend in common")
    return found.is_regression()


def is_slower_than_baseline(run: Run, only: str, options: Options) -> bool:
    compared = broken = 0
    for case in run.cases:
        baseline = case.subject(run.baseline)
        for subject in case.subjects:
            if subject.name == run.baseline or only not in ("", subject.name) or not (subject.hot and baseline and baseline.hot):
                continue
            compared += 1
            ratio = compare_paired(subject.hot.times, baseline.hot.times, options.noise)
            if ratio.word == SLOWER:
                broken += 1
                print(f"slower than {printable_name(run.baseline)}: {printable_name(subject.name)} on {case.literal}: "
                      f"{three_digits(ratio.ratio)} of its speed ({interval_text(ratio)})")
    if compared == 0:
        raise CannotDecide("the gate compares with the baseline, but nothing was timed with it")
    print(f"gate: {counted(compared, 'case')} compared with {printable_name(run.baseline)}, {broken} slower by more than "
          f"{100 * options.noise:.0f} %")
    return broken > 0


def is_broken(run: Run, rule: str, options: Options) -> bool:
    """Applies a rule: the path of an older run; `baseline`: nothing is slower than the baseline beyond the noise; or
    `baseline:NAME`, the same for one subject. A subject that was not timed because it failed breaks every rule."""
    kind, _, only = rule.partition(":")
    broken = is_slower_than_baseline(run, only, options) if kind == "baseline" else has_regression(read_run(rule), run, options)
    for case in run.cases:
        for subject in case.subjects:
            if subject.verdict == "fail":
                broken = True
                print(f"fails: {printable_name(subject.name)} on {case.literal}: {shortened(printable(subject.why), 200)}")
    return broken
