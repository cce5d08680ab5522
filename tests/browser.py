"""A browser without a screen, for tests of pages: Chromium, if it is installed."""

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class Browser:
    """A page in a browser, and what became of it."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def size(self, size: tuple[int, int], **media: str) -> None:
        """Set width and height of the window, and features such as ``prefers_color_scheme``."""
        width, height = size
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        features = [{"name": n.replace("_", "-"), "value": value} for n, value in media.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def open(self, path: Path) -> None:
        """Open a file, and forget what was logged before."""
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(path.as_uri())

    def run(self, script: str, *values: Any) -> Any:
        """What a script says, the body of a function."""
        return self.driver.execute_script(script, *values)

    def wait(self, script: str, what: str, seconds: float = 20) -> Any:
        """Wait until an expression is true; returns its value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.run(f"return {script}")
            if found:
                return found
            time.sleep(0.02)
        return pytest.fail(f"{what} did not come about")

    def click(self, selector: str) -> None:
        """Click on a part of the page with the mouse."""
        self.driver.find_element("css selector", selector).click()

    def pull(self, selector: str, *shares: float) -> None:
        """Press the mouse on a part of the page, so far along its width, pull it on, let it go."""
        from selenium.webdriver.common.action_chains import ActionChains

        part = self.driver.find_element("css selector", selector)
        first, *others = (round((share - 0.5) * part.rect["width"]) for share in shares)
        chain = ActionChains(self.driver).move_to_element_with_offset(part, first, 0)
        chain.click_and_hold()
        for right in others:
            chain.move_to_element_with_offset(part, right, 0)
        chain.release().perform()

    def hover(self, selector: str) -> None:
        """Move the mouse over a part of the page."""
        from selenium.webdriver.common.action_chains import ActionChains

        part = self.driver.find_element("css selector", selector)
        ActionChains(self.driver).move_to_element(part).perform()

    def press(self, *keys: str) -> None:
        """Press keys, by the names that JavaScript has for them."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        names = {
            "ArrowLeft": Keys.ARROW_LEFT,
            "ArrowRight": Keys.ARROW_RIGHT,
            "ArrowUp": Keys.ARROW_UP,
            "ArrowDown": Keys.ARROW_DOWN,
            "Home": Keys.HOME,
            "End": Keys.END,
            "PageUp": Keys.PAGE_UP,
            "PageDown": Keys.PAGE_DOWN,
            "Escape": Keys.ESCAPE,
            "Tab": Keys.TAB,
        }
        chain = ActionChains(self.driver)
        for key in keys:
            chain.send_keys(names.get(key, key))
        chain.perform()

    def complaints(self) -> list[str]:
        """What the console says."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """The addresses that were asked for since the page was opened."""
        events = [json.loads(e["message"])["message"] for e in self.driver.get_log("performance")]
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]


@contextmanager
def start(profile: Path) -> Iterator[Browser]:
    """Start a browser with a new profile; skips the test where there is none."""
    paths = [found for name in BROWSERS if (found := shutil.which(name))]
    driver = shutil.which("chromedriver")
    if not paths or not driver:
        pytest.skip("no Chromium with its driver on the PATH: apt-get install chromium-driver")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = paths[0]
    for argument in (*ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(driver)
    with webdriver.Chrome(options, service) as started:
        yield Browser(started)
