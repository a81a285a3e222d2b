"""The corpus in the form of the spec (section 3): written as files by the command, read in by
evaluations. The database stays what counts.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson
from pydantic.alias_generators import to_camel

from projects.portfolio.intake.drafts import KINDS, Draft, row_values
from projects.portfolio.models import SCHEMA_VERSION, IndexBuild
from projects.portfolio.periods import months_between
from projects.portfolio.schema.fields import tidied

if TYPE_CHECKING:
    from projects.portfolio.intake.preprocess import Run

_DATES: Final = {"started": "dates.start", "ended": "dates.end"}
_RESULT: Final = {"impact": "impactSummary"}
# where a field stands, when not under its own name
_PATHS: Final[Mapping[str, Mapping[str, str]]] = {
    "entry": {
        "title": "name", "summary": "oneLiner", "repository_url": "githubUrl",
        "context": "context.type", "organization": "context.organization", "role": "context.role",
        "started": "context.timeframe.start", "ended": "context.timeframe.end", **_RESULT,
    },
    **{kind: {**_DATES, **_RESULT} for kind in ("position", "volunteering")},
    "education": _DATES,
    **{kind: {"kind": "type"} for kind in ("publication", "certificate", "language")},
}  # fmt: skip


def draft_of(document: Mapping[str, Any], kind: str = "") -> Draft:
    """A document of a corpus as a draft; `kind` for projects and profiles.

    Raises BadInput that names a wrong field, KeyError where the kind is unknown.
    """
    kind = kind or _kind_of(document)
    table = KINDS[kind]
    given = {own.name: _at(document, _path(kind, own.name)) for own in table.fields}
    values = tidied(
        table.values, {name: value for name, value in given.items() if value is not None}
    )
    if linked := document.get("linkedProjects"):
        values["linked_entries"] = linked
    return Draft(kind, values=values, doc_id="" if kind == "profile" else str(document["id"]))


def _kind_of(document: Mapping[str, Any]) -> str:
    if document["kind"] == "experience":
        is_voluntary = document.get("experienceType") == "volunteer"
        return "volunteering" if is_voluntary else "position"
    return str(document["type" if document["kind"] == "credential" else "kind"])


def _path(kind: str, name: str) -> str:
    return _PATHS.get(kind, {}).get(name, to_camel(name))


def _at(document: Any, path: str) -> Any:
    """What stands at a path; of links without the parts that nothing is said of."""
    for step in path.split("."):
        document = document.get(step) if isinstance(document, Mapping) else None
    if isinstance(document, list):
        return [_without_missing(part) for part in document]
    return document


def _without_missing(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: value for name, value in part.items() if value is not None}
    return part


def document_of(draft: Draft, linked: Sequence[str] = ()) -> dict[str, Any]:
    """A complete draft as a document; `linked` are the projects of a position."""
    kind = KINDS[draft.kind]
    document: dict[str, Any] = {"id": draft.doc_id or draft.kind}
    if draft.kind not in {"entry", "profile"}:
        document["kind"] = kind.entity.removeprefix("portfolio_")
    values = row_values(draft)
    for name, value in values.items():
        *steps, last = _path(draft.kind, name).split(".")
        place = document
        for step in steps:
            place = place.setdefault(step, {})
        place[last] = None if value == "" else value
    if draft.kind == "entry":
        document["slug"] = draft.doc_id
    if "is_current" in values:
        document["linkedProjects"] = list(linked)
        document["monthsOfExperience"] = months_between(
            values["started"],
            values["ended"],
            today=dt.date.today(),  # noqa: DTZ011 - months need no hour
            is_current=values["is_current"],
        )
    return document


def persona_values(document: Mapping[str, Any]) -> dict[str, Any]:
    """The voice of a corpus, by the fields of its row."""
    names = ("system_persona", "short_about", "style_guidelines", "voice_examples")
    return {name: document[to_camel(name)] for name in names if to_camel(name) in document}


def write(run: Run, build: IndexBuild) -> None:
    """The files of a finished run. Raises OSError.

    The lexical space is computed from the documents when they are read: it has no vectors to
    write, and its files say so.
    """
    folder, persona, vectors = run.output, run.persona, run.vectors
    documents: dict[str, list[Any]] = {"projects": [], "resume": [], "profile": []}
    for draft in run.drafts:
        name = {"entry": "projects", "profile": "profile"}.get(draft.kind, "resume")
        documents[name].append(document_of(draft, run.links.get(draft.doc_id, ())))
    write_whole(folder / "projects.json", documents["projects"])
    write_whole(folder / "resume.json", documents["resume"])
    write_whole(folder / "profile.json", next(iter(documents["profile"]), None))
    voice = {to_camel(name): value for name, value in persona.items()} if persona else None
    write_whole(folder / "persona.json", voice)
    meta: dict[str, Any] = {
        "schemaVersion": SCHEMA_VERSION,
        "buildId": str(build.pk),
        "space": vectors.space,
        "isComputed": not vectors.by_key,
    }
    for source in ("projects", "resume"):
        entries = [
            {"id": doc_id, "vector": [round(float(number), 6) for number in vector]}
            for (corpus, doc_id), vector in vectors.by_key.items()
            if corpus == source
        ]
        write_whole(folder / f"{source}-embeddings.json", {"meta": meta, "entries": entries})


def write_whole(file: Path, content: Any) -> None:
    """JSON into a file, whole or not at all. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    beside.write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2))
    beside.replace(file)
