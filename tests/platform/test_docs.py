"""The documents name what there is: files, pages, headings."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
DOCS = PROJECT / "docs"
MOST_FILES_OF_A_TURN = 25

PAGES = sorted([*DOCS.rglob("*.md"), *PROJECT.glob("*.md")])
NAMED_FILE = re.compile(r"`((?:\w[\w.-]*/)+[\w.-]+\.(?:py|js|css|html|toml|md|svg|template))`")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)[^)]*\)|<(?:img|a)\b[^>]*?(?:src|href)=\"([^\"]+)\"")
CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return CODE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The ids of a page's headings, as the generator makes them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    words = [re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings]
    return {re.sub(r"[\s-]+", "-", text) for text in words}


def links(page: Path) -> Iterator[tuple[str, str]]:
    """Path and fragment of every link of a page that stays in the project."""
    for match in LINK.finditer(prose(page)):
        target = match[1] or match[2]
        if not re.match(r"[a-z]+:", target):
            path, _, fragment = target.partition("#")
            yield path, fragment


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(PROJECT).as_posix())
def test_a_page_links_only_to_what_there_is(page):
    broken = []
    for path, fragment in links(page):
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (fragment and fragment not in anchors(target)):
            broken.append(f"{path}#{fragment}")
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(PROJECT).as_posix())
def test_a_page_names_only_files_that_there_are(page):
    missing = [name for name in NAMED_FILE.findall(prose(page)) if not (PROJECT / name).exists()]
    assert missing == []


def test_a_turn_is_read_in_25_files_each_with_its_sentence():
    walk, _, _after = prose(DOCS / "architecture.md").partition("## What holds")
    rows = re.findall(r"^\| `([^`]+)` \| (.+) \|$", walk, re.MULTILINE)
    files = [name for name, _sentence in rows]
    assert len(set(files)) == len(files)
    assert 15 <= len(files) <= MOST_FILES_OF_A_TURN
    assert [name for name in files if not (PROJECT / name).is_file()] == []
    assert [name for name, sentence in rows if not sentence.endswith(".")] == []
