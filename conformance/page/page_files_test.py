#!/usr/bin/env python3
"""What a page does with several runs, dropped files and hostile texts, in a real browser.   page_files_test.py CERTILE MUTANTS FOLDER

FOLDER keeps the pages and their pictures. Exit code 77 if there is no browser."""
import hashlib
import itertools
import json
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree
from functools import partial
from pathlib import Path

from browser import InBrowser
from hostile_texts import HOSTILE, MARKS, as_shown

program, mutants = sys.argv[1:3]
folder = Path(sys.argv[3])
WRONG = f"{mutants}/M01.so"
CASE, CLAUSE = "openvino-tile-1 f32[2,2]{1,2,3,4} x i64{2,3}", "OV-T1-G2"


def certile(*words, codes=(0,)):
    done = subprocess.run([program, *map(str, words)], capture_output=True, check=False)
    assert done.returncode in codes, (words, done.returncode, done.stderr)
    return done.stdout.decode("utf-8")


def written(header, records, footer):
    """Returns the lines of a run, with the digest that its footer must have."""
    lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in ({"header": header}, *records))
    footer["sha256"] = hashlib.sha256(lines.encode()).hexdigest()
    return lines + json.dumps({"footer": footer}) + "\n"


class Files(InBrowser):
    good = folder / "good.jsonl"
    bad = folder / "bad.jsonl"

    @classmethod
    def setUpClass(cls):
        folder.mkdir(parents=True, exist_ok=True)
        cases = ("--case", CASE, "--case", "openvino-tile-1 u8[3,2] x i64{2,1}")
        certile("certify", "scalar", *cases, "--records", cls.good, "--quiet")
        certile("certify", WRONG, *cases, "--records", cls.bad, "--quiet", codes=(1,))
        super().setUpClass()

    def page(self, *words, codes=(0, 1)):
        path = folder / "page.html"
        certile("report", *words, "--html", path, codes=codes)
        self.browser.open(path)

    def drop(self, *files):
        """Drops files on the page, as a reader does."""
        self.browser.run("""const transfer = new DataTransfer();
            for (const [name, text] of arguments[0]) transfer.items.add(new File([text], name));
            const options = { dataTransfer: transfer, bubbles: true, cancelable: true };
            for (const type of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, options));
            """, [[Path(path).name, Path(path).read_text(encoding="utf-8")] for path in files])
        names = [Path(path).name for path in files]
        self.browser.wait(lambda: names[-1] in self.browser.text("#messages") and "Reading" not in self.browser.text("#messages"))

    def results(self, run):
        return self.browser.run("""return [...document.querySelectorAll('.clauses tbody tr')].map((row) =>
            [row.querySelector('th').textContent, row.querySelectorAll('td')[arguments[0]].textContent])""", run)

    def test_a_dropped_file_is_shown_as_one_that_was_written_into_the_page(self):
        self.page(self.good, self.bad)
        self.browser.run("location.hash = '#operator=openvino-tile-1'")
        self.browser.wait(lambda: self.results(1))
        expected = self.results(1)
        self.assertTrue(any("violated" in result for _, result in expected), expected)
        self.page(self.good)
        self.drop(self.bad)
        self.browser.run("location.hash = '#operator=openvino-tile-1'")
        self.browser.wait(lambda: len(self.browser.all(".card")) == 2 and self.results(0))
        self.assertEqual(self.results(1), expected)

    def test_of_a_dropped_file_the_actual_output_is_drawn_and_nothing_is_guessed(self):
        self.page(self.good)
        self.drop(self.bad)
        self.browser.run("location.hash = arguments[0]", f"#run=1&clause={CLAUSE}&case={CASE}")
        self.browser.wait(lambda: self.browser.all(".grids, .picture"))
        self.assertEqual(self.browser.texts("figcaption b"), ["Actual"])
        self.assertEqual(self.browser.all("td.wrong"), [])

    def test_the_button_opens_files_too_and_a_wrong_file_is_named(self):
        self.page(self.good)
        self.browser.one("#files").send_keys(str(self.bad.resolve()))
        self.browser.wait(lambda: "bad.jsonl: 1 run with 2 cases" in self.browser.text("#messages"))
        wrong = folder / "wrong.jsonl"
        for text, sentence in (("{}", "neither a file of records nor"), ('{"header":{}}\n{"cas', "this is no line of records"),
                               ("<script>window.hacked=1</script>", "neither a file of records nor")):
            wrong.write_text(text, encoding="utf-8")
            self.drop(wrong)
            self.assertIn(sentence, self.browser.text("[role=alert]"))
        self.assertEqual(len(self.browser.all(".card")), 2)
        half = folder / "half.jsonl"
        half.write_text("".join(self.bad.read_text(encoding="utf-8").splitlines(keepends=True)[:2]), encoding="utf-8")
        self.drop(half)
        self.assertIn("INCOMPLETE", self.browser.all(".card")[2].text)

    def test_what_got_worse_since_an_earlier_run_is_first(self):
        earlier = folder / "earlier.jsonl"
        header, *records, footer = map(json.loads, self.good.read_text(encoding="utf-8").splitlines())
        wrong = json.loads(self.bad.read_text(encoding="utf-8").splitlines()[0])["header"]["claim"]["name"]
        header["header"]["claim"]["name"] = wrong
        renamed = [each | {"backend": wrong} for each in records]
        earlier.write_text(written(header["header"], renamed, footer["footer"]), encoding="utf-8")
        self.page(self.bad, "--against", earlier)
        self.assertIn("got worse", self.browser.text("#changes h3"))
        self.assertIn(CLAUSE, self.browser.text(".changes tbody tr"))
        self.assertIn("✓ conformant", self.browser.text(".changes tbody td"))
        self.assertIn("Newly failing: 2 cases", self.browser.text("#changes"))
        self.browser.keep_picture(folder / "against.png")
        order = self.browser.run("return [...document.querySelectorAll('main section')].map((each) => each.id)")
        self.assertEqual(order, ["runs", "changes", "matrix", "detail", "speed"])
        self.page(self.good, "--against", self.good)
        self.assertIn("as before", self.browser.text("#changes h3"))
        self.page(self.good)
        self.assertFalse(self.browser.one("#changes").is_displayed())

    def test_a_benchmark_is_drawn_by_regime(self):
        path, family = folder / "bench.json", itertools.count()
        cases, entries = [], []
        for regime, size in itertools.product(("tiny", "rows", "<b>wide</b>"), (256, 65536, 2**24)):
            subjects: list[dict[str, object]] = []
            for name, share in (("quick", 0.9), ("<img src=x onerror=window.hacked=1>", 0.25)):
                number = next(family)
                subjects.append({"name": name, "verdict": "pass", "why": "", "hot": {"family": number, "calls": 4, "cores": 1}})
                entries += [{"family_index": number, "share_of_limit": share * part, "run_type": "iteration"} for part in (0.9, 1, 1.1)]
            cases.append({"literal": CASE, "regime": regime, "output_bytes": size, "subjects": subjects, "limits": []})
        facts = {"format": 1, "suite": "workloads", "machine": {"processor": "Example 9000", "cores": 2}, "cases": cases}
        path.write_text(json.dumps({"context": {"date": "2026-01-02", "certile": facts}, "benchmarks": entries}), encoding="utf-8")
        for way in (lambda: self.page(self.good, "--bench", path), lambda: (self.page(self.good), self.drop(path))):
            way()
            self.assertEqual(len(self.browser.all("#speed figure")), 3)
            self.assertEqual(len(self.browser.all("#speed figure:first-of-type svg .mark")), 6)
            self.assertIn("Example 9000, 2 cores", self.browser.text("#speed"))
            self.browser.one("#speed summary").click()
            self.browser.wait(lambda: self.browser.all("#speed tbody tr"))
            self.assertEqual(self.browser.texts("#speed tbody tr:first-child td")[:3], ["quick", "256 B", "90 %"])
            self.assert_harmless()
        self.browser.run("document.getElementById('speed').scrollIntoView()")
        self.browser.keep_picture(folder / "speed.png")

    def assert_harmless(self):
        self.assertIsNone(self.browser.run("return window.hacked ?? null"))
        strangers = self.browser.run("""const kinds = 'body script, body style, body meta, img, iframe, base, object, form, template';
            return [...document.querySelectorAll(kinds)].filter((each) => !['data', 'filters'].includes(each.id) && each.type !== 'module')
                .map((each) => each.outerHTML.slice(0, 80))""")
        self.assertEqual(strangers, [])
        self.assertEqual(self.browser.run("""return [...document.querySelectorAll('*')].flatMap((each) => [...each.attributes])
            .filter((each) => each.name.startsWith('on') || /^javascript:/i.test(each.value)).map((each) => each.name)"""), [])

    def test_hostile_names_and_messages_stay_text_in_every_report(self):
        self.assertGreater(len(HOSTILE), 200)
        header, record, *_, footer = map(json.loads, self.bad.read_text(encoding="utf-8").splitlines())
        footer["footer"] |= {"records": 1, "verdicts": dict.fromkeys(footer["footer"]["verdicts"], 0) | {"fail": 1}}
        runs = []
        for text in HOSTILE:
            claim = header["header"]["claim"] | {"name": text, "version": text[::-1]}
            finding = {"by": "diagnosis", "verdict": "fail", "fault": "elements", "clause": CLAUSE, "words": f"{text}\n{text}"}
            runs.append(written(header["header"] | {"claim": claim, "spelling": f"./{text}.so", "planned": 1},
                                [record | {"backend": text, "explanation": f"{text}\n{text}", "amended": [finding]}], footer["footer"]))
        records = folder / "hostile.jsonl"
        records.write_text("".join(runs), encoding="utf-8", newline="")
        html, junit, markdown = folder / "hostile.html", folder / "hostile.xml", folder / "hostile.md"
        terminal = certile("report", records, "--verbose", "--html", html, "--junit", junit, "--markdown", markdown, codes=(1,))
        for text in (terminal, markdown.read_text(encoding="utf-8"), junit.read_text(encoding="utf-8")):
            self.assertEqual(set(MARKS.findall(text)), set())
        self.assertNotRegex(terminal, r"(?m)^\s*::|##\[|##vso\[")
        suites = xml.etree.ElementTree.fromstring(junit.read_text(encoding="utf-8")).findall("testsuite")
        self.assertEqual(len(suites), len(HOSTILE))
        self.assertEqual({each.tag for suite in suites for each in suite.iter()}, {each.tag for each in suites[0].iter()})
        outside = re.sub(r"(?ms)^(`{3,})text\n.*?^\1$", "", markdown.read_text(encoding="utf-8"))
        self.assertEqual(set(re.findall(r"</?([a-z]+)", outside)) - {"details", "summary"}, set())
        self.assertEqual(html.read_text(encoding="utf-8").count("<script"), 2)
        self.look_at(html)
        self.browser.open(folder / "page.html") if (folder / "page.html").exists() else self.page(self.good)
        self.drop(records)
        self.browser.run("location.hash = '#run=1'")
        self.check_names(1)
        self.assert_harmless()

    def look_at(self, html):
        self.browser.open(html)
        self.check_names(0)
        self.assert_harmless()
        for run in range(0, len(HOSTILE), 31):
            self.browser.run("location.hash = arguments[0]", f"#run={run}&clause={CLAUSE}&case={CASE}&q={CLAUSE}")
            text = as_shown(HOSTILE[run])
            said = f"{text}\n{text}"
            self.browser.wait(partial(self.has_chosen, run))
            self.assertEqual(self.browser.texts(".finding pre")[0], said)
            self.assert_harmless()

    def has_chosen(self, run):
        """Returns true once the page shows that run of the clause."""
        return self.browser.run("""const links = [...document.querySelectorAll('#detail .tabs a')];
            return links.findIndex((link) => link.ariaCurrent === 'true') === arguments[0]""", run)

    def check_names(self, first):
        titles = self.browser.run("return [...document.querySelectorAll('.card h3')].map((each) => each.textContent)")[first:]
        self.assertEqual(titles, [f"{as_shown(text)} {as_shown(text[::-1])}" for text in HOSTILE])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
