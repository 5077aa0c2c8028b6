"""The picture, and the page around it."""
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


def crowded_run():
    run = synthetic_run()
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
        self.assertEqual(groups["cold-0"], [f"quick, cold\n{ROWS}\n8.00 MiB, rows: 18.0 GB/s, 0.90 of the limit (fill)"])

    def test_every_colour_has_one_for_dark_pages(self):
        svg = picture_svg(crowded_run())
        head, body = svg.split("</style>", 1)
        self.assertIn("@media (prefers-color-scheme: dark)", head)
        for use in set(re.findall(r"(?:fill|stroke): #[0-9a-f]{6}", body)):
            self.assertIn(f'[style*="{use}"]', head)
        self.assertEqual(re.findall(r"<text(?![^>]*fill: #)[^>]*>", body), [])

    def test_the_same_run_gives_the_same_bytes(self):
        self.assertEqual(picture_svg(synthetic_run()), picture_svg(synthetic_run()))

    def test_no_text_is_over_another_or_outside(self):
        for run in (synthetic_run(), crowded_run(), empty_run()):
            figure, _ = drawn(run)
            FigureCanvasAgg(figure).draw()
            axes = figure.axes[0]
            texts = [axes.xaxis.label, axes.yaxis.label, *axes.texts, *figure.texts, *figure.legends[0].get_texts()]
            for axis, (first, last) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
                texts += [tick.label1 for tick in axis.get_major_ticks() if first <= tick.get_loc() <= last]
            boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
            self.assertGreater(len(boxes), 15)
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
