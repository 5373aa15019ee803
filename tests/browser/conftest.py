"""A real browser, without a screen, that tells what a page runs, loads and violates."""

import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = os.environ.get("TERTULIA_CHROMIUM", "/usr/bin/chromium")
WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.violations.push(event.violatedDirective + " " + event.blockedURI));
"""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """Read the accessibility checker that `npm ci` installed."""
    modules = os.environ.get("TERTULIA_NODE_MODULES")
    if modules is None:
        cached = sorted((Path(__file__).parents[2] / ".cache" / "node").glob("*/node_modules/axe-core/axe.min.js"))
        return cached[-1].read_text("utf-8")
    return (Path(modules) / "axe-core" / "axe.min.js").read_text("utf-8")


@dataclass
class Bait:
    """A server that nothing should ask for anything."""

    url: str
    hits: list[str] = field(default_factory=list[str])


@pytest.fixture
def bait() -> Iterator[Bait]:
    """Run the server, on loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.hits.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_HEAD = do_OPTIONS = do_GET

        def log_message(self, format: str, *args: Any) -> None:
            """Stay silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made = Bait(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


@dataclass
class Seen:
    """What a page did when it was opened."""

    page: Page
    scripts: list[str]
    dialogs: list[str]
    errors: list[str]

    @property
    def violations(self) -> list[str]:
        """What the page's own policy had to stop."""
        found: list[str] = self.page.evaluate("window.violations")
        return found


@pytest.fixture
def look(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Seen]]:
    """Open a page from a file: `look(html, width=390, dark=True)`."""
    contexts: list[Any] = []

    def opened(html: str, *, width: int = 1200, dark: bool = False, bypass_csp: bool = False) -> Seen:
        path = tmp_path / "report.html"
        path.write_text(html, "utf-8")
        scheme: Any = "dark" if dark else "light"
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            bypass_csp=bypass_csp,
            service_workers="block",
        )
        contexts.append(context)
        page = context.new_page()
        seen = Seen(page, [], [], [])
        page.on("dialog", lambda dialog: (seen.dialogs.append(dialog.message), dialog.dismiss()))
        page.on("pageerror", lambda error: seen.errors.append(str(error)))
        page.on("console", lambda message: seen.errors.append(message.text) if message.type == "error" else None)
        page.add_init_script(WATCH)
        session = context.new_cdp_session(page)
        session.on("Debugger.scriptParsed", lambda event: seen.scripts.append(event["url"]))
        session.send("Debugger.enable")
        page.goto(path.as_uri())
        page.wait_for_load_state("networkidle")
        return seen

    yield opened
    for context in contexts:
        context.close()
