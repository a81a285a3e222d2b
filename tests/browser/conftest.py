"""A real Chromium for the flows a person walks; skipped with the reason where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

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
SIZES = {"phone": (390, 844), "desk": (1280, 900)}
TIMEOUT_MS = 20_000


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser process for the whole session."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page in a private window of its own; problems on it fail the test at the end."""
    problems: list[str] = []
    contexts = []

    def new(size: str = "desk", *, like: Page | None = None, **options: object) -> Page:
        width, height = SIZES[size]
        context = (
            like.context
            if like
            else chromium.new_context(
                viewport={"width": width, "height": height}, has_touch=size == "phone", **options
            )
        )
        if like is None:
            contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.on("pageerror", lambda error: problems.append(f"script error: {error}"))
        page.on(
            "console",
            lambda message: (
                problems.append(f"console: {message.text}")
                if "Content Security Policy" in message.text
                else None
            ),
        )
        return page

    yield new
    for context in contexts:
        context.close()
    assert problems == []
