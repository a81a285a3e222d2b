"""Shoots the main pages in every language, size and theme, as one sheet of each page.

make screens                                    # docs/screens/*.webp
python -m tests.browser.shots FOLDER --singles  # every picture by itself too, as PNG
"""

from __future__ import annotations

import argparse
import io
import os
from pathlib import Path
from typing import Final

import django
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "futura.settings")
django.setup()

from tests.browser.conftest import FLAGS, TIMEOUT_MS, executable  # noqa: E402
from tests.browser.workspace import campaign, filled, signed_in_as_staff  # noqa: E402
from tests.stack import Stack, running_stack  # noqa: E402

LANGUAGES: Final = ("en", "de", "es", "fr")
SIZES: Final = {"desk": (1280, 800), "phone": (390, 844)}
THEMES: Final = ("light", "dark")
PAGES: Final = (
    "welcome", "home", "todos", "week", "projects", "project", "history", "project-agent",
    "forecast", "concierge", "portfolio", "sources", "builder", "visitor", "survey", "talk",
    "tasks", "complete", "conversations", "insights",
)  # fmt: skip
HEIGHT: Final = 300  # of a picture on the sheet
GAP: Final = 8
QUALITY: Final = 55
GROUND: Final = (128, 128, 124)

Shots = dict[tuple[str, str, str, str], bytes]
"""PNG by page, language, size and theme."""


class Unlimited(Stack):
    """One person fills four workspaces from one address."""

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | {"DJANGO_SETTINGS_MODULE": "tests.browser.settings"}


def taken(stack: Stack, browser: Browser) -> Shots:
    """Every picture; each page is loaded once a language and size."""
    shots: Shots = {}
    insights = f"{campaign(stack)}/insights"
    for language in LANGUAGES:
        windows = {size: _window(browser, language, size) for size in SIZES}
        for size, page in windows.items():
            _shoot(shots, stack, page, ("welcome", language, size), "/")
        pages = filled(windows["desk"], stack.url, language)
        windows["phone"].context.add_cookies(windows["desk"].context.cookies())
        staff = {"insights": insights}
        for name in PAGES[1:]:
            for size, page in windows.items():
                if name in staff:
                    signed_in_as_staff(page, stack)
                _shoot(shots, stack, page, (name, language, size), (pages | staff)[name])
        for page in windows.values():
            page.context.close()
    return shots


def _window(browser: Browser, language: str, size: str) -> Page:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=size == "phone",
        is_mobile=size == "phone",
        locale=language,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    return page


def _shoot(shots: Shots, stack: Stack, page: Page, what: tuple[str, str, str], path: str) -> None:
    page.goto(f"{stack.url}{path}", wait_until="networkidle")
    if path.endswith("/insights"):
        page.locator("main section h2").first.wait_for()
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        shots[(*what, theme)] = page.screenshot()


def sheet(shots: Shots, name: str) -> Image.Image:
    """A row for each language: on a desk and a phone, each light and dark."""
    rows = [
        [_small(shots[name, language, size, theme]) for size in SIZES for theme in THEMES]
        for language in LANGUAGES
    ]
    width = sum(item.width + GAP for item in rows[0]) + GAP
    whole = Image.new("RGB", (width, (HEIGHT + GAP) * len(rows) + GAP), GROUND)
    for row, pictures in enumerate(rows):
        left = GAP
        for picture in pictures:
            whole.paste(picture, (left, GAP + row * (HEIGHT + GAP)))
            left += picture.width + GAP
    return whole


def _small(png: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    width = round(picture.width * HEIGHT / picture.height)
    return picture.resize((width, HEIGHT), Image.Resampling.LANCZOS)


def main() -> None:
    """Writes the sheets, and with `--singles` all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--singles", action="store_true", help="every picture by itself too")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=TIMEOUT_MS)
    with (
        running_stack(make=lambda folder: Unlimited(folder, None)) as stack,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=executable(), args=FLAGS) as browser,
    ):
        shots = taken(stack, browser)
    for name in PAGES:
        sheet(shots, name).save(options.folder / f"{name}.webp", quality=QUALITY, method=6)
    if options.singles:
        for what, png in shots.items():
            (options.folder / f"{'-'.join(what)}.png").write_bytes(png)


if __name__ == "__main__":
    main()
