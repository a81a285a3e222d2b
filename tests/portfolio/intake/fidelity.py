"""Counts, for drafts against the true records: right, empty and wrong fields, fused records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from projects.portfolio.intake.drafts import Draft
from tests.portfolio.intake.resumes import Record, Resume

NAMING = ("title", "company", "degree", "institution", "name")


@dataclass(frozen=True)
class Fidelity:
    """Fields by how they were read; `fused` and `invented` name drafts that are no true record."""

    right: int
    empty: int
    wrong: Sequence[str]
    fused: Sequence[str]
    invented: Sequence[str]


def fidelity(drafts: Iterable[Draft], resume: Resume) -> Fidelity:
    """Each draft with a kind is held against the true record that it resembles most."""
    right = empty = 0
    wrong: list[str] = []
    fused: list[str] = []
    invented: list[str] = []
    remaining = list(resume.records)
    for draft in drafts:
        if draft.kind in {"", "profile"}:
            continue
        values = told(draft)
        own = [item for item in remaining if item[0] == draft.kind and agrees(values, item[1])]
        if not own:
            if any(values.values()):
                invented.append(f"{draft.kind}: {values}")
            continue
        true = max(own, key=lambda item: sum(values[name] == item[1][name] for name in item[1]))
        remaining.remove(true)
        others = {
            record[1][name]
            for record in resume.records
            for name in NAMING
            if name in record[1] and record[0] not in {"skill", "language"}
        }
        others -= {words for words in others for value in true[1].values() if words in value}
        text = " ".join(words_of(draft.values))
        fused += [
            f"{draft.title} has {other}" for other in others if len(other) > 3 and other in text
        ]
        for name, value in true[1].items():
            if values[name] == value:
                right += 1
            elif not values[name]:
                empty += 1
            else:
                wrong.append(f"{draft.kind} {name}: {values[name]!r}, not {value!r}")
    empty += sum(len(fields) for _kind, fields in remaining)
    return Fidelity(right, empty, wrong, fused, invented)


def told(draft: Draft) -> Record:
    """The fields of a draft as the true records write them: degree and field in one."""
    values = {"started": "", "ended": "", "issuer": "", "date": "", "level": "", **draft.values}
    if draft.kind == "education":
        degree = f"{values.get('degree', '')} {values.get('field', '')}".strip()
        values = {**values, "degree": degree}
    return {name: str(values.get(name) or "") for name in {*values, *NAMING}}


def agrees(values: Record, true: Record) -> bool:
    """Whether what names the draft names this record, as far as it says anything."""
    named = [name for name in NAMING if name in true and values[name]]
    return bool(named) and any(values[name] == true[name] for name in named)


def words_of(values: dict[str, Any]) -> list[str]:
    """All texts of a draft, without its list of skills."""
    return [
        word
        for name, value in values.items()
        if name != "skills"
        for word in (value if isinstance(value, list) else [str(value)])
    ]
