"""The picture, and the page around it."""
import copy
import re
import unittest
from xml.etree import ElementTree

from page import page_around
from run_file import Run
from synthetic_run_test import ROWS, passed, synthetic_run

try:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from picture import SVG, drawn, marks_of, picture_svg
    HAS_MATPLOTLIB = True
except ModuleNotFoundError:
    HAS_MATPLOTLIB = False


def empty_run():
    run = synthetic_run()
    return Run(run.machine, "", "", "", "", [], [])


def long_run():
    """The synthetic run with more cases than bars are drawn for."""
    run = synthetic_run()
    run.cases = [copy.deepcopy(case) for _ in range(5) for case in run.cases]
    return run


def crowded_run():
    run = long_run()
    for case in run.cases:
        case.subjects = [passed(f"a backend with a long name, {index}", 20 + index) for index in range(45)]
    return run


@unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
class Picture(unittest.TestCase):
    def groups(self, svg):
        """Returns the marks of each series: {id: the titles}."""
        groups = {}
        for group in ElementTree.fromstring(svg).iter(f"{{{SVG}}}g"):
            if re.fullmatch(r"(hot|cold)-\d+", group.get("id", "")):
                groups[group.get("id")] = [mark.findtext(f"{{{SVG}}}title") for mark in marks_of(group)]
        return groups

    def test_needs_nothing_else(self):
        svg = picture_svg(synthetic_run())
        self.assertEqual(ElementTree.fromstring(svg).tag, f"{{{SVG}}}svg")
        self.assertEqual(re.findall(r"<script|<image|@import|<!DOCTYPE|url\((?!#)|href=\"(?!#)", svg), [])

    def test_has_a_mark_for_each_case_hot_and_cold_apart(self):
        groups = self.groups(picture_svg(synthetic_run()))
        self.assertEqual({name: len(titles) for name, titles in groups.items()}, {"hot-0": 3, "cold-0": 1, "hot-1": 3, "hot-2": 2})
        self.assertEqual(groups["cold-0"], [f"quick, cold\n{ROWS}\n8.00 MiB, rows: 18.0 GB/s, 0.90 of the reference (fill)"])
        many = self.groups(picture_svg(long_run()))
        self.assertEqual({name: len(titles) for name, titles in many.items()}, {"hot-0": 15, "cold-0": 5, "hot-1": 15, "hot-2": 10})

    def test_few_cases_are_bars_as_long_as_their_shares(self):
        figure, series = drawn(synthetic_run())
        bars = {bars.get_gid(): [path.get_extents().x1 for path in bars.get_paths()] for bars in figure.axes[0].collections}
        self.assertEqual(bars.keys(), series.keys())
        for group, points in series.items():
            for length, point in zip(bars[group], points, strict=True):
                self.assertAlmostEqual(length, point.share, msg=point.words)
        labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
        self.assertEqual(labels[1], f"{ROWS}\nrows, 8.00 MiB")

    def test_four_backends_are_drawn_unless_more_are_wanted_and_the_baseline_always(self):
        run = crowded_run()
        run.baseline = "a backend with a long name, 44"
        self.assertEqual(self.groups(picture_svg(run)).keys(), {f"hot-{index}" for index in range(4)})
        figure, series = drawn(run)
        self.assertIn("name, 44", series["hot-3"][0].words)
        self.assertIn("41 backends more with --series", "".join(text.get_text() for text in figure.texts))
        self.assertEqual(len(drawn(run, 9)[1]), 9)
        self.assertEqual(len(drawn(run, 50)[1]), 45)

    def test_every_colour_has_one_for_dark_pages(self):
        svg = picture_svg(crowded_run(), 45)
        head, body = svg.split("</style>", 1)
        self.assertIn("@media (prefers-color-scheme: dark)", head)
        for use in set(re.findall(r"(?:fill|stroke): #[0-9a-f]{6}", body)):
            self.assertIn(f'[style*="{use}"]', head)
        self.assertEqual(re.findall(r"<text(?![^>]*fill: #)[^>]*>", body), [])

    def test_the_same_run_gives_the_same_bytes(self):
        self.assertEqual(picture_svg(synthetic_run()), picture_svg(synthetic_run()))

    def test_no_text_is_over_another_or_outside(self):
        crowded_bars = crowded_run()
        crowded_bars.cases = crowded_bars.cases[:12]
        for run, series in ((synthetic_run(), 4), (crowded_bars, 4), (long_run(), 4), (crowded_run(), 45), (empty_run(), 4)):
            figure, _ = drawn(run, series)
            FigureCanvasAgg(figure).draw()
            axes = figure.axes[0]
            texts = [axes.xaxis.label, axes.yaxis.label, *axes.texts, *figure.texts, *figure.legends[0].get_texts()]
            for axis, (first, last) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
                texts += [tick.label1 for tick in axis.get_major_ticks() if first <= tick.get_loc() <= last]
            boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
            self.assertGreater(len(boxes), 12)
            for index, (words, box) in enumerate(boxes):
                self.assertTrue(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0 and box.y1 <= figure.bbox.y1, words)
                for others, other in boxes[:index]:
                    self.assertFalse(box.overlaps(other), (words, others))

    def test_markup_in_a_strangers_name_stays_text(self):
        run = synthetic_run()
        for case in run.cases:
            case.subjects[0].name = "<script>&\x01 $x^2$"
        svg = picture_svg(run)
        self.assertNotIn("<script>", svg)
        self.assertIn("&lt;script&gt;&amp;\\x01 $x^2$", svg)
        self.assertNotIn("<script>", page_around("", run))

    def test_of_nothing_it_says_so(self):
        self.assertIn("nothing was timed", picture_svg(empty_run()))


class Page(unittest.TestCase):
    def test_has_the_picture_and_a_row_for_each_figure(self):
        page = page_around("<svg/>", synthetic_run())
        self.assertIn("\n<svg/>\n", page)
        self.assertEqual(page.count("<tr><td>"), 10)
        self.assertIn(f"<td>{ROWS}</td><td>8.00 MiB</td><td>quick</td><td>cold</td><td>466 us</td><td>18.0</td><td>0.90</td>", page)
        self.assertIn("<td>broken</td><td>fail: element [0,0,4] is 0x0, expected 0x3f800000</td>", page)


if __name__ == "__main__":
    unittest.main()
