"""A real Chromium for the flows a person walks; skipped with the reason where there is none."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
]
SIZES = {"phone": (390, 844), "small": (320, 640), "desk": (1280, 900)}
TIMEOUT_MS = 60_000  # generous: the machine may be busy
# A page that is left while something of it is still being fetched gives that up, as it should;
# htmx tells both as errors. Whatever else fails has a line of its own beside `afterRequest`.
GIVEN_UP = re.compile("^htmx:(sendAbort|afterRequest)")


BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first is Chromium without what only a window needs: three quarters of the processor time."""


def executable() -> str | None:
    """Debian's Chromium, or none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def lasting(fixture_name: str, config: pytest.Config) -> Literal["module", "session"]:
    """How long the browser stays: while Playwright runs, its event loop occupies this thread, and
    tests of other modules that use the database or a loop of their own would be refused. Of
    thorough tests those with a browser come last.
    """
    return "session" if config.option.markexpr == "thorough" else "module"


@pytest.fixture(scope=lasting)
def chromium() -> Iterator[Browser]:
    """One browser process for as many modules as can share it."""
    path = executable()
    if path is None:
        pytest.skip("no Chromium on this machine")
    expect.set_options(timeout=TIMEOUT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page in a private window of its own; problems on it fail the test at the end.

    A problem is any script error and anything the browser reports as an error: a refusal by the
    Content-Security-Policy, a missing file, a fragment without its place. `told` is a pattern of
    those that the test provokes, such as the resource errors of a line that is cut.
    """
    problems: list[str] = []
    contexts = []

    def new(
        size: str = "desk", *, like: Page | None = None, told: str = "", **options: Any
    ) -> Page:
        width, height = SIZES[size]
        context = (
            like.context
            if like
            else chromium.new_context(
                viewport={"width": width, "height": height},
                has_touch=size != "desk",
                is_mobile=size != "desk",
                **options,
            )
        )
        if like is None:
            contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)

        def heard(message: ConsoleMessage) -> None:
            expected = told and re.search(told, message.text)
            if message.type == "error" and not expected and not GIVEN_UP.match(message.text):
                problems.append(f"console on {page.url}: {message.text}")

        page.on("console", heard)
        page.on("pageerror", lambda error: problems.append(f"script error: {error}"))
        return page

    yield new
    for context in contexts:
        context.close()
    assert problems == []
