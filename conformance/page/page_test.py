#!/usr/bin/env python3
"""The page of certify --html and report --html, in a real browser.   page_test.py CERTILE MUTANTS FOLDER

FOLDER keeps the pages and their pictures. Exit code 77 if there is no browser."""
import base64
import re
import subprocess
import sys
import unittest
from pathlib import Path

from browser import InBrowser
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

program, mutants = sys.argv[1:3]
folder = Path(sys.argv[3])
WRONG, LENIENT, CLAUSE = f"{mutants}/M01.so", f"{mutants}/M09.so", "OV-T1-G2"
PICTURED = "openvino-tile-1 f32[2,2]{1,2,3,4} x i64{2,3}"


def certile(*words, code=0):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stdout


def text_table(records):
    """Returns the words of the text report about each clause: proven, VIOLATED, and the number of cases."""
    report = certile("report", records, "--verbose", code=1)
    return {match[1]: (match[2], int(match[3].replace(",", "")))
            for match in re.finditer(r"^ *(\S+-\S+) .*?(proven|VIOLATED) by ([\d,]+)", report, re.MULTILINE)}


def found(pattern, text):
    """Returns the groups of the first place where the pattern fits."""
    match = re.search(pattern, text)
    assert match, (pattern, text)
    return match.groups()


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


class PageTest(InBrowser):
    records = folder / "two.jsonl"
    html = folder / "two.html"

    @classmethod
    def setUpClass(cls):
        folder.mkdir(parents=True, exist_ok=True)
        certile("certify", WRONG, LENIENT, "--tier", "smoke", "--operator", "openvino-tile-1", "--budget", "1000",
                "--records", cls.records, "--html", cls.html, code=1)
        super().setUpClass()

    def tearDown(self):
        self.browser.show_as("light")
        super().tearDown()

    def open(self, address="", html=None):
        self.browser.open(html or self.html, address)

    def choose(self, clause=CLAUSE, literal=None, run=0, **more):
        words = {"run": run, "clause": clause, "case": literal, **more}
        self.open("#" + "&".join(f"{key}={value}" for key, value in words.items() if value is not None))

    def test_the_same_records_give_the_same_bytes_by_report_and_by_certify(self):
        again = folder / "again.html"
        certile("report", self.records, "--html", again, code=1)
        self.assertEqual(again.read_bytes(), self.html.read_bytes())

    def test_it_works_alone(self):
        self.open()
        self.assertEqual(self.browser.run("return performance.getEntriesByType('resource').map((each) => each.name)"), [])
        self.assertNotRegex(self.html.read_text(encoding="utf-8"), r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""")
        refused = self.browser.driver.execute_async_script(
            "const done = arguments[0]; fetch('https://example.org/').then(() => done('fetched'), () => done('refused'))")
        self.assertEqual(refused, "refused")
        self.assertIn("Content Security Policy", " ".join(self.browser.complaints()))

    def test_the_matrix_says_of_each_clause_what_the_text_report_says(self):
        separate = folder / "one.jsonl"
        lines = self.records.read_text(encoding="utf-8").splitlines(keepends=True)
        end = next(at for at, line in enumerate(lines) if line.startswith('{"footer"')) + 1
        for run, part in enumerate((lines[:end], lines[end:])):
            separate.write_text("".join(part), encoding="utf-8")
            expected = text_table(separate)
            self.assertGreater(len(expected), 30)
            self.open("#operator=openvino-tile-1")
            seen = dict(self.cells(run))
            self.open("#operator=contract")
            seen |= dict(self.cells(run))
            said = {"violated": "VIOLATED", "conformant": "proven"}
            self.assertEqual({clause: (said[state], count) for clause, (state, count) in seen.items() if state in said}, expected)

    def cells(self, run):
        for cell in self.browser.run("""return [...document.querySelectorAll('.clauses tbody tr')].map((row) =>
            [row.querySelector('th code').textContent, row.querySelectorAll('td')[arguments[0]].textContent])""", run):
            state, count = found(r"^\S+ ([a-z ]+?)(?: ([\d,]+))?$", cell[1])
            yield cell[0], (state, int((count or "0").replace(",", "")))

    def test_a_group_has_no_rows_before_it_is_opened(self):
        right = folder / "right.html"
        certile("certify", "scalar", "--case", PICTURED, "--html", right)
        self.open(html=right)
        closed = self.browser.all("#matrix > div > details:not([open])")
        self.assertGreater(len(closed), 1)
        self.assertEqual(closed[0].find_elements(By.CSS_SELECTOR, "tr"), [])
        closed[0].find_element(By.CSS_SELECTOR, "summary").click()
        self.browser.wait(lambda: closed[0].find_elements(By.CSS_SELECTOR, "tr"))

    def test_filters_are_in_the_address_and_come_from_it(self):
        self.open()
        everything = len(self.browser.all(".result"))
        self.browser.one("select[name=state]").send_keys("violated")
        self.browser.wait(lambda: "state=violated" in self.browser.hash())
        self.browser.one("input[name=q]").send_keys("repeat")
        self.browser.wait(lambda: "q=repeat" in self.browser.hash())
        rows = self.browser.texts(".clauses tbody th code")
        self.assertIn(CLAUSE, rows)
        self.assertLess(len(self.browser.all(".result")), everything)
        self.open(self.browser.run("return location.hash"))
        self.assertEqual(self.browser.texts(".clauses tbody th code"), rows)
        self.assertEqual(self.browser.one("select[name=state]").get_attribute("value"), "violated")
        self.browser.one("button[type=reset]").click()
        self.browser.wait(lambda: self.browser.hash() in ("", "#"))

    def test_from_a_clause_to_its_plainest_failure_with_the_picture_and_the_command(self):
        self.open()
        self.browser.one(f'.result.violated a[href*="{CLAUSE}"]').click()
        self.browser.wait(lambda: self.browser.all("#detail h2"))
        report = certile("report", self.records, "--verbose", code=1)
        plainest = found(CLAUSE + r".*VIOLATED by [\d,]+, first: (.*)", report)[0]
        self.assertEqual(self.browser.text("#case-heading"), plainest)
        self.assertEqual(self.browser.texts(".cases li code")[0], plainest)
        differ = int(found(r"; (\d+) of \d+ differ", self.browser.text(".finding pre"))[0])
        self.assertEqual(len(self.browser.all(".grid td.wrong")), differ)
        self.assertEqual(self.browser.text(".command code"), f"certile run {WRONG} '{plainest}'")
        self.browser.all(".cases li a")[1].click()
        second = self.browser.texts(".cases li code")[1]
        self.browser.wait(lambda: self.browser.text("#case-heading") == second)
        self.assertIn(second, self.browser.hash().replace("+", " "))

    def grid(self, which):
        return self.browser.run("""return [...[...document.querySelectorAll('.grids figure')][arguments[0]].querySelectorAll('tbody tr')]
            .map((row) => [...row.querySelectorAll('td')].map((cell) => cell.firstChild.textContent))""", which)

    def test_a_picture_has_every_element_and_the_borders_of_the_copies(self):
        pictured = folder / "pictured.html"
        certile("certify", WRONG, "--case", PICTURED, "--html", pictured, code=1)
        self.open(f"#clause={CLAUSE}", pictured)
        self.assertEqual(self.grid(0), [["1", "2"], ["3", "4"]])
        self.assertEqual(self.grid(1), [["1", "2"] * 3, ["3", "4"] * 3] * 2)
        shown = certile("run", WRONG, PICTURED, code=1)
        rows = [re.findall(r"\d+", row) for row in re.findall(r"^ {6}\d [ \d|*]+$", shown, re.MULTILINE)]
        actual = [row[len(row) // 2 + 1:] for row in rows]
        self.assertEqual(self.grid(2), actual)
        self.assertEqual(len(self.browser.all(".grids figure:nth-child(2) td.column-border")), 8)
        self.assertEqual(len(self.browser.all(".grids figure:nth-child(2) td.row-border")), 6)
        self.assertEqual(self.browser.all(".bits"), [])
        self.browser.one(".legend a").click()
        self.browser.wait(lambda: self.browser.all(".bits"))
        self.assertEqual(self.browser.text(".grids .bits"), "0x3f800000")
        self.assertIn("bits=1", self.browser.hash())

    def test_an_output_of_more_axes_is_shown_slice_by_slice_from_the_first_wrong_one(self):
        sliced, literal = folder / "sliced.html", "openvino-tile-1 u8[2,2,2]{1,1,1,1,1,2,3,4} x i64{1,1,2}"
        certile("certify", WRONG, "--case", literal, "--html", sliced, code=1)
        self.open(f"#clause={CLAUSE}", sliced)
        self.assertIn("[1,:,:] is slice 2 of 2; wrong elements are in 1", self.browser.text(".slices"))
        self.assertEqual((self.grid(0), self.grid(1)), ([["1", "2"], ["3", "4"]], [["1", "2"] * 2, ["3", "4"] * 2]))
        self.browser.one(".slices a").click()
        self.browser.wait(lambda: "[0,:,:] is slice 1 of 2" in self.browser.text(".slices"))
        self.assertEqual((self.grid(0), self.grid(2)), ([["1", "1"]] * 2, [["1"] * 4] * 2))

    def test_of_a_larger_output_what_the_records_do_not_have_is_drawn_as_not_known(self):
        large = folder / "large.html"
        certile("certify", WRONG, "--case", "openvino-tile-1 u8[9,5] x i64{1,2}", "--html", large, code=1)
        self.open(f"#clause={CLAUSE}", large)
        at, = found(r"element \[0,(\d)\] is 0x", self.browser.text(".finding pre"))
        actual, expected = self.grid(2), self.grid(1)
        self.assertEqual(actual[0][:int(at)], expected[0][:int(at)])
        self.assertEqual([len(self.browser.all(f"td.{mark}")) for mark in ("wrong", "unknown")], [1, 90 - int(at) - 1])
        self.assertEqual(set(sum(actual, [])[int(at) + 1:]), {"·"})

    def test_it_is_used_with_the_keyboard_alone(self):
        self.open()
        body = self.browser.one("body")
        body.send_keys("/")
        self.assertEqual(self.browser.run("return document.activeElement.name"), "q")
        for _ in range(200):
            self.browser.driver.switch_to.active_element.send_keys(Keys.TAB)
            if CLAUSE in (self.browser.run("return document.activeElement.getAttribute('href')") or ""):
                break
        self.browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.browser.wait(lambda: f"clause={CLAUSE}" in self.browser.hash())
        self.browser.wait(lambda: self.browser.run("return document.activeElement.id") == "detail")
        body.send_keys(Keys.ESCAPE)
        self.browser.wait(lambda: "clause" not in self.browser.hash())

    def test_a_screen_reader_has_a_name_for_all_that_can_be_used_and_words_for_every_mark(self):
        self.choose()
        nameless = self.browser.run("""return [...document.querySelectorAll('a, button, input, select, summary, [role=region], section')]
            .filter((each) => !(each.getAttribute('aria-label') || each.labels?.length
                || document.getElementById(each.getAttribute('aria-labelledby')) || each.textContent.trim()))
            .map((each) => each.outerHTML)""")
        self.assertEqual(nameless, [])
        wrong = self.browser.run("return document.querySelector('.grid td.wrong').textContent")
        self.assertRegex(wrong, r"^\d+✗ wrong, expected \d+$")
        headings = self.browser.run("return [...document.querySelectorAll('h1,h2,h3,h4')].map((each) => Number(each.tagName[1]))")
        self.assertTrue(all(after - before <= 1 for before, after in zip(headings, headings[1:])), headings)

    def test_text_is_readable_in_light_and_dark(self):
        seen = {}
        for scheme in ("light", "dark"):
            self.browser.show_as(scheme)
            self.choose(bits=1)
            colours = self.browser.run("""const ground = (each) => {
                    for (; each; each = each.parentElement) {
                        const colour = getComputedStyle(each).backgroundColor;
                        if (!colour.endsWith(', 0)')) return colour;
                    }
                    return 'rgb(255,255,255)'; };
                return [...document.querySelectorAll('h1, h2, p, a, small, td.wrong, code, summary, .grid th, button')]
                    .map((each) => [getComputedStyle(each).color, ground(each), each.outerHTML.slice(0, 80)])""")
            for ink, ground, what in colours:
                self.assertGreaterEqual(contrast(ink, ground), 4.5, (scheme, ink, ground, what))
            seen[scheme] = colours[0][:2]
            self.browser.keep_picture(folder / f"{scheme}.png")
        self.assertNotEqual(seen["light"], seen["dark"])

    def test_on_a_narrow_screen_nothing_is_wider_than_the_screen(self):
        self.browser.resize(390, 844)
        try:
            self.choose()
            self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), 390)
            self.browser.keep_picture(folder / "narrow.png")
        finally:
            self.browser.resize(1500, 1100)

    def test_on_paper_every_clause_is_there_and_no_button(self):
        self.open()
        shown = len(self.browser.all(".result"))
        self.browser.show_as(media="print")
        self.browser.run("dispatchEvent(new Event('beforeprint'))")
        self.assertGreater(len(self.browser.all(".result")), shown)
        self.assertFalse(self.browser.one("#filters").is_displayed())
        printed = base64.b64decode(self.browser.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
        self.assertTrue(printed.startswith(b"%PDF"))
        (folder / "page.pdf").write_bytes(printed)

    def test_states_have_words_and_signs_that_need_no_colour(self):
        self.open()
        self.assertEqual(len(set(self.browser.run("""return [...document.querySelectorAll('select[name=state] option')].slice(1)
            .map((option) => option.value)"""))), 8)
        signs = {found(r"^\S ([a-z ]+?)(?: \d|$)", text)[0]: text[0] for text in self.browser.texts(".result")}
        self.assertGreaterEqual(len(signs), 3)
        self.assertEqual(len(set(signs.values())), len(signs))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
