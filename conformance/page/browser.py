"""A real browser without a window, for the tests of the page."""
import shutil
import sys
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

SKIPPED = 77
PACKAGES = "chromium, chromium-driver, python3-selenium"


def skip(why: str) -> NoReturn:
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
if not chromium or not driver:
    skip(f"there is no Chromium with its driver (Debian's {PACKAGES})")
try:
    from selenium import webdriver
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.ui import WebDriverWait
except ModuleNotFoundError:
    skip(f"there is no Selenium for this Python (Debian's {PACKAGES})")

PATIENCE = 120  # seconds; a busy machine is slow


class Browser:
    """Chromium with one page."""

    def __init__(self) -> None:
        options = Options()
        options.binary_location = chromium
        # A container has neither user namespaces for Chromium's sandbox nor much shared memory.
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-device-scale-factor=1",
                     "--window-size=1500,1100", "--hide-scrollbars"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_page_load_timeout(PATIENCE)

    def close(self) -> None:
        self.driver.quit()

    def open(self, path: Path, address: str = "") -> None:
        """Opens a file, at an address in it, as a new page."""
        self.driver.get("about:blank")
        self.driver.get(path.resolve().as_uri() + address)
        self.run("")

    def run(self, script: str, *arguments: Any) -> Any:
        """Runs the script once the page shows its address, because a page that still changes would be read half before and half after."""
        ready = "if (document.documentElement.dataset.shown !== location.hash) return [false];"
        whole = f"{ready} return [true, (function () {{ {script} }}).apply(null, arguments)];"
        return self.wait(lambda: (done := self.driver.execute_script(whole, *arguments))[0] and done)[1]

    def wait(self, condition: Callable[[], Any]) -> Any:
        """Waits until the condition is true. While the page replaces an element that it reads, it is not."""
        return WebDriverWait(self.driver, PATIENCE, poll_frequency=0.05,
                             ignored_exceptions=[StaleElementReferenceException]).until(lambda _: condition())

    def all(self, selector: str) -> list[Any]:
        return self.run("return [...document.querySelectorAll(arguments[0])]", selector)

    def one(self, selector: str) -> Any:
        found = self.run("return document.querySelector(arguments[0])", selector)
        assert found is not None, f"the page has no {selector}"
        return found

    def text(self, selector: str) -> str:
        """Returns the text of an element, as a reader sees it."""
        return self.one(selector).text

    def texts(self, selector: str) -> list[str]:
        return self.run("return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)", selector)

    def hash(self) -> str:
        return self.run("return decodeURIComponent(location.hash)")

    def complaints(self) -> list[str]:
        """Returns what the browser logged since the last call: errors, and what the policy refused."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("WARNING", "SEVERE")]

    def resize(self, width: int, height: int) -> None:
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def show_as(self, scheme: str = "light", media: str = "") -> None:
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def keep_picture(self, path: Path) -> None:
        self.driver.save_screenshot(str(path))


class InBrowser(unittest.TestCase):
    """A test case with one browser for its tests, in which no test may leave a complaint."""

    browser: Browser

    @classmethod
    def setUpClass(cls) -> None:
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def tearDown(self) -> None:
        self.assertEqual(self.browser.complaints(), [])
