"""Reads the starter catalogue: `activities.toml` and one `NN-….toml` per major group."""

from __future__ import annotations

import hashlib
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from onet.candidates import STARTER_PREFIX, group_of
from onet.loading.release import Catalogue
from onet.models import AlternateTitle, Occupation, TaskStatement, WorkActivity

FOLDER: Final = Path(__file__).resolve().parent
ACTIVITIES: Final = FOLDER / "activities.toml"
NAME: Final = "Starter catalogue"
SALT: Final = b"starter-1"

Entry = dict[str, Any]


def starter_occupations() -> list[Entry]:
    """The occupations of all files as they are written, by file name."""
    return [entry for file in _occupation_files() for entry in _read(file)["occupation"]]


def read_starter() -> Catalogue:
    """The starter catalogue as rows; its fingerprint changes with the files."""
    catalogue = Catalogue(
        name=NAME, label="ships with Futura", fingerprint=starter_fingerprint(), is_starter=True
    )
    activities = {activity.element_id: activity for activity in unsaved_activities()}
    catalogue.activities = list(activities.values())
    for entry in starter_occupations():
        titles, statements = entry.pop("titles"), entry.pop("statements")
        occupation = Occupation(**entry)
        catalogue.occupations.append(occupation)
        catalogue.titles += [
            AlternateTitle(occupation=occupation, title=title, kind=AlternateTitle.Kind.ALTERNATE)
            for title in titles
        ]
        for item in statements:
            statement = TaskStatement(
                task_id=_statement_id(occupation.code, item["id"]),
                occupation=occupation,
                text=item["text"],
                kind=item["kind"],
                importance=item["importance"],
            )
            catalogue.statements.append(statement)
            catalogue.activity_links += [(statement, activities[key]) for key in item["activities"]]
    return catalogue


def unsaved_activities() -> list[WorkActivity]:
    """The 41 activities in the order of their ids, in our words, as rows of no release."""
    return [
        WorkActivity(
            element_id=entry["id"],
            name=entry["name"],
            description=entry["description"],
            group=group_of(entry["id"]),
        )
        for entry in _activities()
    ]


def starter_fingerprint() -> str:
    total = hashlib.sha256(SALT)
    for file in [ACTIVITIES, *_occupation_files()]:
        total.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def _statement_id(code: str, number: int) -> str:
    """`S-15-1252-03`; the last two digits of the code only where they are not 00."""
    return f"{STARTER_PREFIX}{code.removesuffix('.00')}-{number:02d}"


@lru_cache(maxsize=1)
def _activities() -> list[Entry]:
    entries: list[Entry] = _read(ACTIVITIES)["activity"]
    return entries


def _occupation_files() -> list[Path]:
    return sorted(FOLDER.glob("[0-9][0-9]-*.toml"))


def _read(file: Path) -> Entry:
    return tomllib.loads(file.read_text(encoding="utf-8"))
