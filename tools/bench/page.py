"""The picture and the figures of a run as one page."""
from html import escape

from run_file import TEMPERATURES, Run, rounds_of
from shares import writing_share
from words import machine_text, printable, printable_name, rate_text, size_text, time_text

STYLE = """body{max-width:1180px;margin:24px auto;padding:0 16px;font:14px system-ui,sans-serif} svg{width:100%;height:auto}
table{border-collapse:collapse;font-size:12px} td,th{padding:2px 10px;text-align:left;border-bottom:1px solid #8884}"""


def rows_of(run: Run) -> list[list[str]]:
    """Returns a row for each figure; for a subject that was not timed, the verdict and why."""
    rows = []
    for case in run.cases:
        for subject in case.subjects:
            start = [printable(case.regime), case.literal, size_text(case.output_bytes), printable_name(subject.name)]
            timed = [(temperature, rounds) for temperature in TEMPERATURES if (rounds := rounds_of(subject, temperature))]
            for temperature, rounds in timed:
                share = writing_share(run, case, subject, temperature)
                rows.append([*start, temperature, time_text(rounds.median), rate_text(case.output_bytes, rounds.median),
                             f"{share.median:.2f}" if share else ""])
            if not timed:
                rows.append([*start, f"{subject.verdict}: {printable(subject.why)}", "", "", ""])
    return rows


def page_around(svg: str, run: Run) -> str:
    rows = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows_of(run))
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>certile-bench</title>
<meta name="color-scheme" content="light dark">
<style>{STYLE}</style></head><body>
{svg}
<p>{escape(machine_text(run.machine))}</p>
<table>
<tr><th>regime<th>case<th>written<th>backend<th>caches<th>time<th>GB/s<th>share of the reference</tr>
{rows}
</table>
<ul>{"".join(f"<li>{escape(rule)}</li>" for rule in run.rules)}</ul>
</body></html>
"""
