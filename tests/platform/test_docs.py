"""The documents name what there is: files, pages, headings."""

import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from chat.commands.run import all_commands
from chat.events.kinds import ENGINE_KINDS
from chat.presenters import all_presenters
from futura.llm.stages import all_stages

PROJECT = Path(__file__).resolve().parents[2]
DOCS = PROJECT / "docs"
MOST_FILES_OF_A_TURN = 25

PAGES = sorted(
    page
    for page in [*DOCS.rglob("*.md"), *PROJECT.glob("*.md")]
    if page.parent != DOCS / "reference"  # made from the code
)
NAMED_FILE = re.compile(r"`((?:\w[\w.-]*/)+[\w.-]+\.(?:py|js|css|html|toml|md|svg|template))`")
NAMED_CONSTANT = re.compile(r"`(?:\w+\.)?(_?[A-Z]{2}[A-Z_]+)`")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)[^)]*\)|<(?:img|a)\b[^>]*?(?:src|href)=\"([^\"]+)\"")
VARIABLE = re.compile(r"\b(?:(?:FUTURA|OPENAI)_(?!STAGE_)[A-Z_]*[A-Z]|EMAIL_URL|SECRET_KEY\w*)\b")
CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def _reference() -> ModuleType:
    """The script that makes the reference pages."""
    place = importlib.util.spec_from_file_location("docs_reference", DOCS / "reference.py")
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


REFERENCE = _reference()
GENERATED = {DOCS / "reference" / f"{name}.md" for name in REFERENCE.PAGES}


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
        if target in GENERATED:
            continue
        if not target.exists() or (fragment and fragment not in anchors(target)):
            broken.append(f"{path}#{fragment}")
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(PROJECT).as_posix())
def test_a_page_names_only_files_that_there_are(page):
    missing = [name for name in NAMED_FILE.findall(prose(page)) if not (PROJECT / name).exists()]
    assert missing == []


def test_pages_name_only_constants_that_the_code_has():
    rooms = ("futura", "chat", "onet", "tasks", "projects", "tests")
    code = [file for room in rooms for file in (PROJECT / room).rglob("*.py")]
    known = set(re.findall(r"\w+", "".join(file.read_text(encoding="utf-8") for file in code)))
    named = {name for page in PAGES for name in NAMED_CONSTANT.findall(prose(page))}
    variables = {name for name in named if VARIABLE.fullmatch(name)}
    assert {"WRITING", "_COLUMNS"} <= named
    assert named - variables - known == set()


def test_a_turn_is_read_in_25_files_each_with_its_sentence():
    walk, _, _after = prose(DOCS / "architecture.md").partition("## What holds")
    rows = re.findall(r"^\| `([^`]+)` \| (.+) \|$", walk, re.MULTILINE)
    files = [name for name, _sentence in rows]
    assert len(set(files)) == len(files)
    assert 15 <= len(files) <= MOST_FILES_OF_A_TURN
    assert [name for name in files if not (PROJECT / name).is_file()] == []
    assert [name for name, sentence in rows if not sentence.endswith(".")] == []


def test_every_page_stands_in_the_navigation_once():
    def listed(entries) -> Iterator[str]:
        for entry in entries:
            for value in entry.values():
                yield from [value] if isinstance(value, str) else listed(value)

    navigation = yaml.safe_load((PROJECT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    pages = [page for page in PAGES if page.is_relative_to(DOCS)]
    expected = {page.relative_to(DOCS).as_posix() for page in {*pages, *GENERATED}}
    assert sorted(listed(navigation)) == sorted(expected)


def test_the_reference_of_settings_has_every_variable_with_its_meaning():
    example = (PROJECT / ".env.example").read_text(encoding="utf-8")
    variables = re.findall(r"^#([A-Z][A-Z0-9_]*)=", example, re.MULTILINE)
    page = REFERENCE.settings_page()
    entries = dict(re.findall(r"^### `(\w+)`\n\n(.*)$", page, re.MULTILINE))
    assert sorted(entries) == sorted(variables)
    assert [name for name, meaning in entries.items() if len(meaning) < 10] == []


def test_pages_name_only_variables_that_the_product_reads():
    example = (PROJECT / ".env.example").read_text(encoding="utf-8")
    read = set(re.findall(r"^#([A-Z][A-Z0-9_]*)=", example, re.MULTILINE))
    named = {
        name.removesuffix("_FILE")
        for page in PAGES
        if page.name != "CHANGELOG.md"
        for name in re.findall(VARIABLE, page.read_text(encoding="utf-8"))
    }
    assert {"FUTURA_URL", "EMAIL_URL", "FUTURA_BUDGET_USD"} <= named <= read | {"FUTURA_ENV"}


def test_the_reference_has_every_stage_command_and_event():
    def missing(page: str, names) -> list[str]:
        return [name for name in names if f"`{name}`" not in page]

    kinds = {
        *ENGINE_KINDS,
        *(kind for presenter in all_presenters() for kind in presenter.event_kinds),
    }
    assert missing(REFERENCE.stages_page(), all_stages()) == []
    assert missing(REFERENCE.commands_page(), [kind.name for kind in all_commands()]) == []
    assert missing(REFERENCE.events_page(), kinds) == []


def test_the_reference_has_every_address_of_the_api(client):
    paths = client.get("/api/openapi.json").json()["paths"]
    operations = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    documented = re.findall(r"^## `(\w+) (\S+)`$", REFERENCE.api_page(), re.MULTILINE)
    assert operations
    assert set(documented) == operations


def test_the_hosted_run_calls_what_runs_here():
    file = PROJECT / ".github" / "workflows" / "ci.yml"
    [job] = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"].values()
    assert job["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert job["steps"][-1] == {"run": "bash .ci/run"}


@pytest.mark.thorough
def test_the_site_is_built_without_a_warning(tmp_path):
    shutil.copytree(DOCS, tmp_path / "docs", ignore=shutil.ignore_patterns("reference"))
    shutil.copy(PROJECT / "mkdocs.yml", tmp_path)
    REFERENCE.write_pages(tmp_path / "docs" / "reference")
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    build = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert build.returncode == 0, build.stdout + build.stderr
    commands = tmp_path / "site" / "reference" / "commands" / "index.html"
    assert "create_todos" in commands.read_text(encoding="utf-8")
