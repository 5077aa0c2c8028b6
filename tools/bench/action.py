"""A run for the action `benchmark-action/github-action-benchmark`, tool customBiggerIsBetter: percent of the machine's limit, which
survive a change of the runner."""
import json

from compare import everything_timed
from run_file import Run
from timings import quantile
from words import limit_text, printable, rate_text


def action_json(run: Run) -> str:
    sizes = {case.literal: case for case in run.cases}
    entries = []
    for timed in everything_timed(run):
        if timed.share is None:
            continue
        case, shares = sizes[timed.literal], timed.share.rounds
        entries.append({
            "name": timed.key, "unit": "% of the limit", "value": 100 * timed.share.median,
            # Half the distance from the first to the last tenth.
            "range": f"± {100 * (quantile(shares, 0.9) - quantile(shares, 0.1)) / 2:.2f}",
            "extra": f"regime: {printable(case.regime)}\nrounds: {len(timed.rounds.times)}\ncalls in each: {timed.rounds.calls}\n"
                     f"GB/s: {rate_text(case.output_bytes, timed.rounds.median)}\nlimit: {limit_text(timed.share.limit)}"})
    return json.dumps(entries, indent=1, ensure_ascii=False) + "\n"
