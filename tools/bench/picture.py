"""The picture of a run. Few cases: a bar for each case and subject. Many: share of the reference over the size of the output, a line of
means and a mark per case for each subject."""
import io
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib
import style
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MultipleLocator
from page import page_around
from run_file import TEMPERATURES, Run, rounds_of
from shares import writing_share
from timings import geometric_mean
from words import counted, limit_text, printable, printable_name, rate_text, shortened, size_text

SVG = "http://www.w3.org/2000/svg"
TITLE = "Speed, compared with plain writing of the same bytes"
WIDTH, HEIGHT, LEGEND_ROW = 10.8, 6.4, 0.27  # inches
GREATEST_SHARE = 1.6  # greater shares are drawn at the edge
MOST_BARS = 12        # cases; more are drawn over their sizes
MOST_SERIES = 4       # subjects, unless --series asks for more
BAR, GAP = 0.17, 0.2  # inches
REFERENCE_LINE: dict[str, Any] = {"color": style.LIMIT[0], "linewidth": 1.6, "dashes": (6, 3)}


@dataclass
class Point:
    row: int       # of its case
    octave: float  # logarithm of the output's size to base 2
    share: float
    words: str


def points_of(run: Run, name: str, temperature: str) -> list[Point]:
    points = []
    for row, case in enumerate(run.cases):
        subject = case.subject(name)
        rounds = rounds_of(subject, temperature) if subject else None
        share = writing_share(run, case, subject, temperature) if subject and rounds and case.output_bytes else None
        if rounds and share:
            points.append(Point(row, math.log2(case.output_bytes), share.median,
                                f"{printable_name(name)}, {temperature}\n{case.literal}\n{size_text(case.output_bytes)}, "
                                f"{printable(case.regime)}: {rate_text(case.output_bytes, rounds.median)} GB/s, "
                                f"{share.median:.2f} of the reference ({limit_text(share.limit)})"))
    return sorted(points, key=lambda point: point.octave)


def line_through(points: list[Point]) -> tuple[list[float], list[float]]:
    """Returns one point for every two octaves: the geometric mean of the points in them."""
    bins: dict[int, list[Point]] = {}
    for point in points:
        bins.setdefault(math.floor(point.octave / 2), []).append(point)
    return ([sum(point.octave for point in members) / len(members) for members in bins.values()],
            [geometric_mean([point.share for point in members]) for members in bins.values()])


def octave_text(octave: float, _: object) -> str:
    return f"{2 ** (round(octave) % 10)} {['B', 'KiB', 'MiB', 'GiB', 'TiB'][round(octave) // 10]}"


def legend_text(name: str) -> str:
    """Shortens a long name, which is often a path, to its beginning and its end."""
    shown = printable(name)
    return shown if len(shown) <= 24 else f"{shown[:8]}…{shown[-15:]}"


def series_of(run: Run, most: int) -> list[str]:
    """Returns the first subjects, and the baseline wherever it stands."""
    names = run.subjects()
    others = [name for name in names if name != run.baseline]
    kept = others[:most - (len(others) < len(names))]
    return [name for name in names if name in kept or name == run.baseline]


def highest_share(points: list[Point]) -> float:
    """Returns the highest share that fits."""
    return min(GREATEST_SHARE, math.ceil(max([1.05] + [point.share for point in points]) * 10 + 0.5) / 10)


def style_axes(axes: Axes) -> None:
    axes.grid(color=style.GRID[0])
    axes.tick_params(length=0, pad=6, labelsize=9)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(style.FAINT[0])


def bars_inches(series: int) -> float:
    """Returns the height of one case's bars."""
    return max(series * BAR + GAP, 0.42)


def draw_bars(axes: Axes, run: Run, series: dict[str, list[Point]], highest: float) -> None:
    """Draws a bar for each point, those of a case below each other, the first case at the top."""
    axes.set(xlim=(0, highest), ylim=(len(run.cases), 0), xlabel="share of the reference")
    labels = []
    for case in run.cases:
        literal = shortened(case.literal, 44)
        labels.append(f"{literal}\n{shortened(printable(case.regime), 24)}, {size_text(case.output_bytes)}")
    axes.set_yticks([row + 0.5 for row in range(len(run.cases))], labels, fontsize=8, parse_math=False)
    axes.xaxis.set_major_locator(MultipleLocator(0.2))
    style_axes(axes)
    axes.grid(visible=False, axis="y")
    height = bars_inches(len(series))
    thick = BAR / height
    for position, (group, points) in enumerate(series.items()):
        temperature, index = group.split("-")
        colour, shapes = style.colour(int(index)), []
        for point in points:
            top = point.row + 0.5 + (position - len(series) / 2) * thick
            right, bottom = min(point.share, highest), top + 0.85 * thick
            shapes.append([(0, top), (right, top), (right, bottom), (0, bottom)])
        axes.add_collection(PolyCollection(shapes, facecolor=colour if temperature == "hot" else "none", edgecolor=colour, linewidth=1,
                                           gid=group), autolim=False)
    axes.axvline(1, gid="reference", **REFERENCE_LINE)


def draw_axes(axes: Axes, run: Run, points: list[Point], highest: float) -> None:
    """Draws everything over sizes except the series."""
    octaves = [point.octave for point in points] or [6, 28]
    first = math.floor(min(octaves) / 2) * 2
    last = max(math.ceil(max(octaves) / 2) * 2, first + 2)
    axes.set(xlim=(first, last), ylim=(0, highest), xlabel="size of the output, bytes written", ylabel="share of the reference")
    axes.xaxis.labelpad = 8
    axes.xaxis.set_major_locator(MultipleLocator(4 if last - first > 24 else 2))
    axes.xaxis.set_major_formatter(FuncFormatter(octave_text))
    axes.yaxis.set_major_locator(MultipleLocator(0.2))
    style_axes(axes)
    axes.axhline(1, gid="reference", **REFERENCE_LINE)
    for level, size in enumerate((run.machine.level1_bytes, run.machine.level2_bytes, run.machine.level3_bytes), 1):
        if size and first <= math.log2(size) <= last:
            axes.axvline(math.log2(size), color=style.FAINT[0], linewidth=1, dashes=(1, 3))
            axes.annotate(f"L{level}", (math.log2(size), highest), (0, 4), textcoords="offset points", ha="center", fontsize=9,
                          color=style.FAINT[0])


def draw_series(axes: Axes, series: int, temperature: str, points: list[Point], highest: float) -> None:
    colour, is_hot = style.colour(series), temperature == "hot"
    axes.plot(*line_through(points), color=colour, linewidth=1.7 if is_hot else 1.2, linestyle="-" if is_hot else (0, (4, 3)), zorder=2)
    axes.scatter([point.octave for point in points], [min(point.share, highest) for point in points], s=34, marker=style.mark(series),
                 facecolor=colour if is_hot else "none", edgecolor=colour, alpha=0.85 if is_hot else 1, linewidth=1.2, zorder=3,
                 clip_on=False, gid=f"{temperature}-{series}")


def notes_of(left_out: int, are_bars: bool, points: list[Point], has_cold: bool, highest: float) -> str:
    mark = "bar" if are_bars else "mark"
    notes = [f"A {mark}: the median of one case." + ("" if are_bars else " A line: the geometric mean of the marks of a size.")]
    if has_cold:
        notes[0] += f" Filled: hot caches; hollow{'' if are_bars else ' and dashed'}: cold."
    if left_out:
        notes[0] += f" {counted(left_out, 'backend')} more with --series."
    notes += ["The reference: the fastest of fill, non-temporal fill and memset over the same bytes, measured in the same rounds.",
              "It bounds what these ways of writing reach; other stores, or bytes read, which count beyond the L2 cache, exceed it."]
    if any(point.share > highest for point in points):
        notes[0] += f" Above {highest:.1f}: drawn at the edge."
    return "\n".join(notes)


def drawn(run: Run, most_series: int = MOST_SERIES) -> tuple[Figure, dict[str, list[Point]]]:
    """Draws the picture. Returns the points by the ids of their groups in an SVG file."""
    names = series_of(run, most_series)
    series = {f"{temperature}-{index}": points for index, name in enumerate(names) for temperature in TEMPERATURES
              if (points := points_of(run, name, temperature))}
    everything = [point for points in series.values() for point in points]
    highest = highest_share(everything)
    are_bars = bool(everything) and len(run.cases) <= MOST_BARS
    height = max(2.3 + len(run.cases) * bars_inches(len(series)) if are_bars else HEIGHT, 1.9 + LEGEND_ROW * (len(names) + 1))
    figure = Figure(figsize=(WIDTH, height), facecolor=style.GROUND[0])
    left = 0.31 if are_bars else 0.07
    axes = figure.add_axes((left, 1.35 / height, 0.745 - left, 1 - 2.3 / height), facecolor=style.GROUND[0])
    figure.text(0.07, 1 - 0.36 / height, TITLE, fontsize=14, fontweight="bold")
    figure.text(0.07, 1 - 0.61 / height, shortened(f"{printable(run.suite)}; {printable(run.machine.processor)}; {run.date}", 110),
                color=style.FAINT[0], parse_math=False)
    handles: list[Any] = [Line2D([], [], label="the reference", **REFERENCE_LINE)]
    if are_bars:
        draw_bars(axes, run, series, highest)
    else:
        draw_axes(axes, run, everything, highest)
        for group, points in series.items():
            temperature, index = group.split("-")
            draw_series(axes, int(index), temperature, points, highest)
    if not everything:
        axes.text(0.5, 0.5, "nothing was timed", transform=axes.transAxes, ha="center", color=style.FAINT[0])
    for number, name in enumerate(names):
        if f"hot-{number}" in series or f"cold-{number}" in series:
            colour, label = style.colour(number), legend_text(name)
            handles.append(Patch(color=colour, label=label) if are_bars else
                           Line2D([], [], color=colour, linewidth=1.7, marker=style.mark(number), markersize=6, label=label))
    legend = figure.legend(handles=handles, loc="upper left", bbox_to_anchor=(0.755, 1 - 0.87 / height), frameon=False,
                           labelspacing=0.8, fontsize=9.5)
    for text in legend.get_texts():
        text.set_parse_math(False)
    has_cold = any(group.startswith("cold") for group in series)
    figure.text(0.07, 0.16 / height, notes_of(len(run.subjects()) - len(names), are_bars, everything, has_cold, highest),
                fontsize=9, color=style.FAINT[0], linespacing=1.5)
    return figure, series


def marks_of(group: Any) -> list[ElementTree.Element]:
    """Returns the marks of a series as matplotlib writes them: uses of one path, or only the path if there is one mark."""
    return group.findall(f".//{{{SVG}}}use") or group.findall(f".//{{{SVG}}}path")


def picture_svg(run: Run, most_series: int = MOST_SERIES) -> str:
    """Returns a self-contained SVG, in which each mark's title explains the mark, and which is dark if the reader's page is."""
    with matplotlib.rc_context(style.SETTINGS):
        figure, series = drawn(run, most_series)
        file = io.BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    root = ElementTree.fromstring(file.getvalue())
    for metadata in root.findall(f"{{{SVG}}}metadata"):
        root.remove(metadata)
    root.attrib = {"role": "img", "viewBox": root.attrib["viewBox"]}  # scales to the room
    title, sheet = ElementTree.Element(f"{{{SVG}}}title"), ElementTree.Element(f"{{{SVG}}}style")
    title.text, sheet.text = TITLE, style.dark_sheet()
    root[:0] = [title, sheet]
    for name, points in series.items():
        for mark, point in zip(marks_of(root.find(f".//*[@id='{name}']")), points):
            ElementTree.SubElement(mark, f"{{{SVG}}}title").text = point.words
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def write_picture(path: str, run: Run, most_series: int = MOST_SERIES) -> None:
    """Writes SVG, a page with it if the path ends in .html, or another format of matplotlib by its ending."""
    if path.endswith((".svg", ".html")):
        svg = picture_svg(run, most_series)
        Path(path).write_text(page_around(svg, run) if path.endswith(".html") else svg, encoding="utf-8")
    else:
        with matplotlib.rc_context(style.SETTINGS):
            drawn(run, most_series)[0].savefig(path, dpi=150, format=path.rpartition(".")[2])
