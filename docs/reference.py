"""Makes the reference pages from the code: `python docs/reference.py`, before the site is built."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

PROJECT: Final = Path(__file__).resolve().parent.parent
SETTINGS_INTRO: Final = """# Settings

Every variable that Futura reads, from the environment or from a file `.env` beside
`manage.py`. For a name marked (secret), `NAME_FILE` may name a file that holds the value. A value
that cannot be read stops the start, and the message names the variable."""
STAGES_INTRO: Final = """# Stages

A stage is one kind of call to a model. Its values stand in the `stages.toml` of its app;
`FUTURA_STAGE_<NAME>_<FIELD>` changes one of them, `FUTURA_MODEL` the model of all. See
[Add a model server](../how-to/add-a-model-server.md)."""
COMMANDS_INTRO: Final = """# Commands

What can be done and read, by every door: forms, quick add, assistants,
`POST /api/commands`, `/mcp`. See [Add a command](../how-to/add-a-command.md)."""
API_INTRO: Final = """# JSON API

The same rules, ownership and limits as the pages. An installation serves the OpenAPI document at
`/api/openapi.json` and a page with every field at `/api/docs`; what holds at all of them stands in
[Write a program](../how-to/write-a-program.md).

Send an access token, made at `/account/tokens`, with each request: `Authorization: Bearer …`. It
needs the scopes named below; a conversation's address asks for those of its kind, a command for its
own."""


def write_pages(folder: Path) -> None:
    """Writes every page into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (folder / f"{name}.md").write_text(f"{page()}\n", encoding="utf-8")


def start_django() -> None:
    """Reads the code as an installation with no variable set does; nothing is connected to."""
    import django

    sys.path.insert(0, str(PROJECT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "futura.settings")
    os.environ.setdefault("FUTURA_ENV_FILE", "none")
    os.environ.setdefault("FUTURA_DATA_DIR", tempfile.mkdtemp())
    os.environ.setdefault("SECRET_KEY", "only-for-building-the-documents")
    django.setup()


def settings_page() -> str:
    """Every variable of the environment, as `.env.example` explains it."""
    lines = (PROJECT / ".env.example").read_text(encoding="utf-8").splitlines()
    page = [
        SETTINGS_INTRO,
    ]
    about: list[str] = []
    for line in lines:
        if heading := re.match(r"# -- (.+?) -*$", line):
            page += ["", f"## {heading[1]}"]
            about = []
        elif variable := re.match(r"#([A-Z][A-Z0-9_]*)=(.*)", line):
            page += ["", f"### `{variable[1]}`", "", _escaped(" ".join(about))]
            page += ["", f"Example: `{variable[2]}`"] if variable[2] else []
            about = []
        elif line.startswith("# "):
            about.append(line[2:])
        else:
            about = []
    return "\n".join(page)


def stages_page() -> str:
    """Every kind of model call, with its model and limits."""
    from futura.llm.stages import all_stages

    rows = [
        (
            f"`{one.name}`", f"`{one.model}`", one.temperature, one.max_output_tokens,
            one.first_token_s, one.total_s, one.attempts, one.budget,
        )
        for one in all_stages().values()
    ]  # fmt: skip
    header = ("Stage", "Model", "Temperature", "Output tokens", "First token, s", "Total, s",
              "Attempts", "Budget")  # fmt: skip
    return "\n".join(
        [
            STAGES_INTRO,
            "",
            *_table(header, rows),
        ]
    )


def events_page() -> str:
    """What a guide may yield, and what a session's log carries."""
    from typing import get_args

    from chat import guides, presenters
    from chat.events.kinds import ENGINE_KINDS

    yielded = [(f"`{one.__name__}`", _first(one)) for one in get_args(guides.GuideEvent)]
    by_kind: dict[str, list[str]] = {kind: ["the engine"] for kind in ENGINE_KINDS}
    for presenter in presenters.all_presenters():
        for kind in presenter.event_kinds:
            by_kind.setdefault(kind, []).append(f"`{presenter.kind}`")
    logged = [(f"`{kind}`", ", ".join(sorted(by))) for kind, by in sorted(by_kind.items())]
    return "\n".join(
        [
            "# Events",
            "",
            "What both are for: [Event](../concepts/event.md).",
            "",
            "## Yielded by guides",
            "",
            *_table(("Event", "Meaning"), yielded),
            "",
            "## In a session's log",
            "",
            "Beside these, a token event carries a stretch of a reply. All others name a row.",
            "",
            *_table(("Kind", "Sent by"), logged),
        ]
    )


def commands_page() -> str:
    """Every command and query with its arguments."""
    from chat.commands.run import all_commands, description

    page = [
        COMMANDS_INTRO,
    ]
    for kind in all_commands():
        about = description(kind)
        page += ["", f"## `{about['name']}`", "", _first(kind), ""]
        page += [f"Version {about['version']}, token scope `{about['scope']}`.", ""]
        schema = about["arguments"]
        needed = schema.get("required", ())
        rows = [
            (
                f"`{name}`",
                _type(given),
                "yes" if name in needed else "",
                given.get("description", ""),
            )
            for name, given in schema.get("properties", {}).items()
        ]
        page += _table(("Argument", "Type", "Required", "Meaning"), rows) if rows else []
    return "\n".join(page)


def api_page() -> str:
    """Every address of the JSON API."""
    from django.urls import get_resolver

    from futura.api import api

    get_resolver().url_patterns  # noqa: B018 (routes are added while the addresses are read)
    page = [
        API_INTRO,
    ]
    paths: Any = api.get_openapi_schema()["paths"]
    for path, operations in paths.items():
        for method, operation in operations.items():
            about = " ".join(operation.get("description", "").split()) or operation["summary"]
            page += ["", f"## `{method.upper()} {path}`", "", _escaped(about), ""]
            if scopes := operation["security"][0].get("token"):
                page += [f"Token scopes: {', '.join(f'`{scope}`' for scope in scopes)}.", ""]
            page += [f"Answers: {', '.join(map(str, operation['responses']))}."]
    return "\n".join(page)


PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "settings": settings_page,
    "stages": stages_page,
    "events": events_page,
    "commands": commands_page,
    "api": api_page,
}


def _first(of: type) -> str:
    """The first paragraph of a docstring, in one line."""
    return _escaped(" ".join((of.__doc__ or "").strip().split("\n\n")[0].split()))


def _type(schema: Mapping[str, Any]) -> str:
    """A readable type of a JSON schema: `string`, `list of uuid`."""
    if "$ref" in schema:
        return f"`{schema['$ref'].rsplit('/', 1)[-1]}`"
    if choices := schema.get("anyOf"):
        kinds = [_type(one) for one in choices if one.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    return str(schema.get("format") or schema.get("type") or "anything")


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A table in Markdown."""
    yield f"| {' | '.join(header)} |"
    yield f"| {' | '.join('---' for _name in header)} |"
    for row in rows:
        cells = ("" if cell is None else _escaped(str(cell)) for cell in row)
        yield f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """Text that no Markdown takes for a cell, a tag or emphasis; code in backticks stays."""
    pieces = re.split(r"(`[^`]*`)", text.replace("|", "\\|"))
    plain = (re.sub(r"([<*_\[\]])", r"\\\1", piece) for piece in pieces[::2])
    code = [*pieces[1::2], ""]
    return "".join(part for pair in zip(plain, code, strict=True) for part in pair)


if __name__ == "__main__":
    start_django()
    write_pages(PROJECT / "docs" / "reference")
