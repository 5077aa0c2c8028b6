#!/usr/bin/env python3
"""The page of --html, in a real browser.   page_browser_test.py CERTILE MUTANTS FOLDER

FOLDER keeps the pages. Exit code 77 if there is no browser."""
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

program, mutants = sys.argv[1:3]
folder = Path(sys.argv[3])
chromium = shutil.which("chromium")
WIDTHS = (360, 1600)
SMALL, LARGE = "onnx-tile-13 string[2]{\"one\",\"two\"} x i64{2}", "openvino-tile-1 u8[4321] x i64{2}"
# Shows each page at each width, with all that can be opened, and says how wide it is and what it tried to load.
FRAMES = """<!doctype html><body><script>
onload = () => {
  for (const frame of document.querySelectorAll('iframe')) {
    const page = frame.contentDocument;
    page.querySelectorAll('details').forEach((each) => { each.open = true; });
    const said = document.createElement('p');
    said.textContent = `${frame.src.split('/').pop()} ${frame.width} is ${page.documentElement.scrollWidth} wide, ` +
      `shows ${page.querySelectorAll('h1, article').length}, loads ${frame.contentWindow.performance.getEntriesByType('resource').length}`;
    document.body.append(said);
  }
};
</script>%s</body>"""


def certile(*words: str, code: int = 0) -> None:
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stderr)


class PageTest(unittest.TestCase):
    def test_no_page_is_wider_than_its_window_or_has_an_error(self) -> None:
        smoke = ("--tier", "smoke", "--definition", "openvino-tile-1", "--budget", "100")
        certile("certify", "scalar", *smoke, "--html", "right.html", "--records", "right.jsonl")
        wrong = ("certify", f"{mutants}/M01.so", "--case", LARGE)
        certile(*wrong, "--case", SMALL, "--html", "wrong.html", "--records", "wrong.jsonl", code=1)
        certile(*wrong, "--records", "alone.jsonl", code=1)
        certile("report", "wrong.jsonl", "right.jsonl", "alone.jsonl", "wrong.jsonl", "--html", "four.html", code=1)
        pages = ("right.html", "wrong.html", "four.html")
        frames = "".join(f'<iframe src="{page}" width="{width}" height="800"></iframe>' for page in pages for width in WIDTHS)
        (folder / "frames.html").write_text(FRAMES % frames, encoding="utf-8")
        # A container has neither user namespaces for Chromium's sandbox nor much shared memory.
        shown = subprocess.run([str(chromium), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                                "--hide-scrollbars", "--allow-file-access-from-files", "--enable-logging=stderr", "--dump-dom",
                                (folder / "frames.html").resolve().as_uri()], capture_output=True, text=True, check=False)
        said = re.findall(r"<p>(\S+) (\d+) is (\d+) wide, shows (\d+), loads (\d+)</p>", shown.stdout)
        self.assertEqual(len(said), len(pages) * len(WIDTHS), shown.stderr)
        for page, width, wide, elements, loads in said:
            self.assertLessEqual(int(wide), int(width), page)
            self.assertGreaterEqual(int(elements), 2, page)
            self.assertEqual(int(loads), 0, page)
        self.assertEqual([line for line in shown.stderr.splitlines() if ":CONSOLE" in line], [])


if __name__ == "__main__":
    if chromium is None:
        print("skipped: there is no Chromium (Debian's chromium)")
        sys.exit(77)
    folder.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1])
