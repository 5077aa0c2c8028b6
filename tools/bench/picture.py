"""The picture of a run. Few cases: a bar for each case and subject. Many: share of the reference over the size of the output, a line of
means and a mark per case for each subject."""
import math
import re
from statistics import geometric_mean
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MultipleLocator
from run_file import TEMPERATURES, shortened, size_text, subject_of, subjects_of, writing_share

GREATEST_SHARE = 1.6  # greater shares are drawn at the edge
MOST_BARS = 12        # cases; more are drawn over their sizes
# Colours that people with any colour vision can distinguish on a light page, and shapes: colour is never the only difference.
COLOURS = ["#153b64", "#da260e", "#00847c", "#7231c9", "#ff8b00", "#4f3635", "#00b3ff", "#bd875f", "#c5a8cd"]
MARKS = "osD^v"
FAINT, GRID = "#5f5f5f", "#e7e7e7"
NOTE = """A {mark} is the median of one case{line}; hollow: cold caches. The reference is the fastest of fill, non-temporal fill and
memset over the same bytes, measured in the same rounds. It bounds what these ways of writing reach; other stores, or bytes read,
which count beyond the L2 cache, exceed it.{edge}{more}"""
# Keeps text as text; the same run gives the same bytes.
SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "certile", "font.family": "DejaVu Sans", "text.parse_math": False}


def points_of(run: Any, name: str, temperature: str) -> list[tuple[int, float, float]]:
    """Returns the place of each case of a subject, the logarithm of its size to base 2, and its share."""
    points = []
    for row, case in enumerate(run.cases):
        subject = subject_of(case, name)
        share = writing_share(run, case, subject, temperature) if subject and case.output_bytes else None
        if share:
            points.append((row, math.log2(case.output_bytes), share.median))
    return sorted(points, key=lambda point: point[1])


def series_of(run: Any, most: int) -> list[str]:
    """Returns the first subjects, and the baseline wherever it is."""
    names = subjects_of(run)
    others = [name for name in names if name != run.baseline]
    kept = others[:most - (len(others) < len(names))]
    return [name for name in names if name in kept or name == run.baseline]


def draw_bars(axes: Axes, run: Any, series: list[tuple[int, str, str, list]], edge: float) -> None:
    thick = 0.8 / len(series)
    for place, (index, name, temperature, points) in enumerate(series):
        axes.barh([row - 0.4 + thick * (place + 0.5) for row, _, _ in points], [min(share, edge) for _, _, share in points], 0.85 * thick,
                  edgecolor=COLOURS[index], facecolor=COLOURS[index] if temperature == "hot" else "none", label=name)
    labels = [f"{shortened(case.literal, 44)}\n{case.regime}, {size_text(case.output_bytes)}" for case in run.cases]
    axes.set(xlim=(0, edge), ylim=(len(run.cases) - 0.5, -0.5), xlabel="share of the reference")
    axes.set_yticks(range(len(run.cases)), labels, fontsize=8)
    axes.xaxis.set_major_locator(MultipleLocator(0.2))
    axes.axvline(1, color="#a01c1c", dashes=(6, 3), label="the reference")


def draw_marks(axes: Axes, run: Any, series: list[tuple[int, str, str, list]], edge: float) -> None:
    """Draws the points of each series, and a line through the means of every two octaves."""
    for index, name, temperature, points in series:
        bins: dict[int, list[tuple[int, float, float]]] = {}
        for point in points:
            bins.setdefault(math.floor(point[1] / 2), []).append(point)
        is_hot = temperature == "hot"
        axes.plot([sum(octave for _, octave, _ in each) / len(each) for each in bins.values()],
                  [geometric_mean([share for _, _, share in each]) for each in bins.values()], color=COLOURS[index], linewidth=1.5,
                  linestyle="-" if is_hot else "--")
        axes.scatter([octave for _, octave, _ in points], [min(share, edge) for _, _, share in points], s=34, clip_on=False, zorder=3,
                     marker=MARKS[index % len(MARKS)], facecolor=COLOURS[index] if is_hot else "none", edgecolor=COLOURS[index], label=name)
    axes.set(ylim=(0, edge), xlabel="size of the output, bytes written", ylabel="share of the reference")
    axes.xaxis.set_major_locator(MultipleLocator(2))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda octave, _: re.sub(r"\.0+ ", " ", size_text(2 ** max(0, round(octave))))))
    axes.axhline(1, color="#a01c1c", dashes=(6, 3), label="the reference")
    for level in (1, 2, 3):
        size = getattr(run.machine, f"level{level}_bytes")
        if size and axes.get_xlim()[0] < math.log2(size) < axes.get_xlim()[1]:
            axes.axvline(math.log2(size), color=FAINT, linewidth=1, dashes=(1, 3))
            axes.annotate(f"L{level}", (math.log2(size), edge), ha="center", va="bottom", color=FAINT)


def drawn(run: Any, most_series: int) -> Figure:
    names = series_of(run, most_series)
    series = [(index, name if temperature == "hot" else f"{name}, cold", temperature, points) for index, name in enumerate(names)
              for temperature in TEMPERATURES if (points := points_of(run, name, temperature))]
    shares = [share for *_, points in series for _, _, share in points]
    edge = min(GREATEST_SHARE, math.ceil(max([1.05, *shares]) * 10 + 0.5) / 10)
    are_bars = 0 < len(run.cases) <= MOST_BARS and bool(series)
    figure = Figure(figsize=(10.8, 2.8 + 0.17 * len(run.cases) * (len(series) + 1) if are_bars else 6.4), layout="constrained")
    axes = figure.subplots()
    (draw_bars if are_bars else draw_marks)(axes, run, series, edge)
    axes.set_axisbelow(True)
    axes.grid(color=GRID, axis="x" if are_bars else "both")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0)
    if not series:
        axes.text(0.5, 0.5, "nothing was timed", transform=axes.transAxes, ha="center", color=FAINT)
    handles, labels = axes.get_legend_handles_labels()
    labels = [label if len(label) <= 24 else f"{label[:8]}…{label[-15:]}" for label in labels]  # it is often a path
    axes.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    figure.suptitle(shortened(f"{run.suite}; {run.machine.processor}; {run.date}", 110), fontsize=10, color=FAINT)
    left_out = len(subjects_of(run)) - len(names)
    note = NOTE.format(mark="bar" if are_bars else "mark", line="" if are_bars else ", a line the geometric mean of a size",
                       edge=f" Above {edge:.1f}: drawn at the edge." if max([0, *shares]) > edge else "",
                       more=f" {left_out} more backends with --series." if left_out else "")
    figure.supxlabel(note, fontsize=9, color=FAINT, x=0.02, ha="left")
    return figure


def write_picture(path: str, run: Any, most_series: int = 4) -> None:
    """Writes the format that the path's ending names."""
    with matplotlib.rc_context(SETTINGS):
        drawn(run, most_series).savefig(path, dpi=150, metadata={"Date": None} if path.endswith(".svg") else None)
