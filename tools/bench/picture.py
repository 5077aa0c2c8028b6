"""The picture of a run: share of the limit over the size of the output, a line of means and a mark per case for each subject."""
import io
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib
import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MultipleLocator
from page import page_around
from run_file import TEMPERATURES, Run, rounds_of
from shares import writing_share
from timings import geometric_mean
from words import limit_text, printable, printable_name, rate_text, shortened, size_text

SVG = "http://www.w3.org/2000/svg"
WIDTH, HEIGHT, LEGEND_ROW = 10.8, 6.4, 0.27  # inches
GREATEST_SHARE = 1.6  # greater shares are drawn at the edge


@dataclass
class Point:
    octave: float  # logarithm of the output's size to base 2
    share: float
    words: str


def points_of(run: Run, name: str, temperature: str) -> list[Point]:
    points = []
    for case in run.cases:
        subject = case.subject(name)
        rounds = rounds_of(subject, temperature) if subject else None
        share = writing_share(run, case, subject, temperature) if subject and rounds and case.output_bytes else None
        if rounds and share:
            points.append(Point(math.log2(case.output_bytes), share.median,
                                f"{printable_name(name)}, {temperature}\n{case.literal}\n{size_text(case.output_bytes)}, "
                                f"{printable(case.regime)}: {rate_text(case.output_bytes, rounds.median)} GB/s, "
                                f"{share.median:.2f} of the limit ({limit_text(share.limit)})"))
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


def draw_axes(axes: Axes, run: Run, points: list[Point]) -> float:
    """Draws everything except the series, and returns the highest share that fits."""
    octaves = [point.octave for point in points] or [6, 28]
    first = math.floor(min(octaves) / 2) * 2
    last = max(math.ceil(max(octaves) / 2) * 2, first + 2)
    highest = min(GREATEST_SHARE, math.ceil(max([1.05] + [point.share for point in points]) * 10 + 0.5) / 10)
    axes.set(xlim=(first, last), ylim=(0, highest), xlabel="size of the output, bytes written", ylabel="share of the limit")
    axes.xaxis.labelpad = 8
    axes.xaxis.set_major_locator(MultipleLocator(4 if last - first > 24 else 2))
    axes.xaxis.set_major_formatter(FuncFormatter(octave_text))
    axes.yaxis.set_major_locator(MultipleLocator(0.2))
    axes.grid(color=style.GRID[0])
    axes.tick_params(length=0, pad=6, labelsize=9)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(style.FAINT[0])
    axes.axhline(1, color=style.LIMIT[0], linewidth=1.6, dashes=(6, 3), gid="limit")
    for level, size in enumerate((run.machine.level1_bytes, run.machine.level2_bytes, run.machine.level3_bytes), 1):
        if size and first <= math.log2(size) <= last:
            axes.axvline(math.log2(size), color=style.FAINT[0], linewidth=1, dashes=(1, 3))
            axes.annotate(f"L{level}", (math.log2(size), highest), (0, 4), textcoords="offset points", ha="center", fontsize=9,
                          color=style.FAINT[0])
    return highest


def draw_series(axes: Axes, series: int, temperature: str, points: list[Point], highest: float) -> None:
    colour, is_hot = style.colour(series), temperature == "hot"
    axes.plot(*line_through(points), color=colour, linewidth=1.7 if is_hot else 1.2, linestyle="-" if is_hot else (0, (4, 3)), zorder=2)
    axes.scatter([point.octave for point in points], [min(point.share, highest) for point in points], s=34, marker=style.mark(series),
                 facecolor=colour if is_hot else "none", edgecolor=colour, alpha=0.85 if is_hot else 1, linewidth=1.2, zorder=3,
                 clip_on=False, gid=f"{temperature}-{series}")


def notes_of(run: Run, points: list[Point], has_cold: bool, highest: float) -> str:
    notes = ["A mark: the median of one case. A line: the geometric mean of the marks of a size."]
    if has_cold:
        notes[0] += " Filled: hot caches; hollow and dashed: cold."
    notes.append("The limit: the fastest of fill, non-temporal fill and memset over the same bytes.")
    if any(point.share > highest for point in points):
        notes[1] += f" Marks above {highest:.1f} are drawn at the edge."
    return "\n".join(notes)


def drawn(run: Run) -> tuple[Figure, dict[str, list[Point]]]:
    """Draws the picture. Returns the points by the ids of their groups in an SVG file."""
    names = run.subjects()
    series = {f"{temperature}-{index}": points for temperature in TEMPERATURES for index, name in enumerate(names)
              if (points := points_of(run, name, temperature))}
    everything = [point for points in series.values() for point in points]
    height = max(HEIGHT, 1.5 + LEGEND_ROW * len(names))
    figure = Figure(figsize=(WIDTH, height), facecolor=style.GROUND[0])
    axes = figure.add_axes((0.07, 1.15 / height, 0.675, 1 - 2.1 / height), facecolor=style.GROUND[0])
    figure.text(0.07, 1 - 0.36 / height, "Share of the machine's limit of writing", fontsize=14, fontweight="bold")
    figure.text(0.07, 1 - 0.61 / height, shortened(f"{printable(run.suite)}; {printable(run.machine.processor)}; {run.date}", 110),
                color=style.FAINT[0], parse_math=False)
    highest = draw_axes(axes, run, everything)
    if not everything:
        axes.text(0.5, 0.5, "nothing was timed", transform=axes.transAxes, ha="center", color=style.FAINT[0])
    handles = [Line2D([], [], color=style.LIMIT[0], linewidth=1.6, dashes=(6, 3), label="the limit")]
    for group, points in series.items():
        temperature, index = group.split("-")
        draw_series(axes, int(index), temperature, points, highest)
    handles += [Line2D([], [], color=style.colour(index), linewidth=1.7, marker=style.mark(index), markersize=6,
                       label=legend_text(name))
                for index, name in enumerate(names) if f"hot-{index}" in series or f"cold-{index}" in series]
    legend = figure.legend(handles=handles, loc="upper left", bbox_to_anchor=(0.755, 1 - 0.87 / height), frameon=False,
                           labelspacing=0.8, fontsize=9.5)
    for text in legend.get_texts():
        text.set_parse_math(False)
    figure.text(0.07, 0.16 / height, notes_of(run, everything, any(group.startswith("cold") for group in series), highest),
                fontsize=9, color=style.FAINT[0], linespacing=1.5)
    return figure, series


def marks_of(group: Any) -> list[ElementTree.Element]:
    """Returns the marks of a series as matplotlib writes them: uses of one path, or only the path if there is one mark."""
    return group.findall(f".//{{{SVG}}}use") or group.findall(f".//{{{SVG}}}path")


def picture_svg(run: Run) -> str:
    """Returns a self-contained SVG, in which each mark's title explains the mark, and which is dark if the reader's page is."""
    with matplotlib.rc_context(style.SETTINGS):
        figure, series = drawn(run)
        file = io.BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    root = ElementTree.fromstring(file.getvalue())
    for metadata in root.findall(f"{{{SVG}}}metadata"):
        root.remove(metadata)
    root.attrib = {"role": "img", "viewBox": root.attrib["viewBox"]}  # scales to the room
    title, sheet = ElementTree.Element(f"{{{SVG}}}title"), ElementTree.Element(f"{{{SVG}}}style")
    title.text, sheet.text = "Share of the machine's limit of writing, over output size", style.dark_sheet()
    root[:0] = [title, sheet]
    for name, points in series.items():
        for mark, point in zip(marks_of(root.find(f".//*[@id='{name}']")), points):
            ElementTree.SubElement(mark, f"{{{SVG}}}title").text = point.words
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def write_picture(path: str, run: Run) -> None:
    """Writes SVG, a page with it if the path ends in .html, or another format of matplotlib by its ending."""
    if Path(path).suffix in (".svg", ".html"):
        svg = picture_svg(run)
        Path(path).write_text(page_around(svg, run) if path.endswith(".html") else svg, encoding="utf-8")
    else:
        with matplotlib.rc_context(style.SETTINGS):
            drawn(run)[0].savefig(path, dpi=150)
