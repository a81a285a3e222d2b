"""Reads the starter catalogue: `activities.toml` and one `NN-….toml` per major group."""

from __future__ import annotations

import hashlib
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from onet.candidates import STARTER_PREFIX, group_of
from onet.loading.release import Catalogue
from onet.models import AlternateTitle, Occupation, TaskStatement, WorkActivity

FOLDER: Final = Path(__file__).resolve().parent
NAME: Final = "Starter catalogue"
SALT: Final = b"starter-1"

ElementId = Annotated[str, Field(pattern=r"^4\.A\.[1-4]\.[a-c]\.[1-8]$")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StarterActivity(_Part):
    id: ElementId
    name: str
    description: str


class StarterStatement(_Part):
    """A statement; `id` stays with it for good, a new statement gets a new number."""

    id: int = Field(ge=1, le=99)
    importance: float = Field(ge=1, le=5)
    kind: Literal["Core", "Supplemental"]
    activities: list[ElementId] = Field(min_length=1, max_length=3)
    text: str


class StarterOccupation(_Part):
    code: str = Field(pattern=r"^\d\d-\d{4}\.\d\d$")
    title: str
    description: str
    job_zone: int = Field(ge=1, le=5)
    titles: list[str]
    statements: list[StarterStatement]

    def statement_id(self, number: int) -> str:
        """`S-15-1252-03`; the last two digits of the code only where they are not 00."""
        code = self.code.removesuffix(".00")
        return f"{STARTER_PREFIX}{code}-{number:02d}"


class _ActivityFile(_Part):
    activity: list[StarterActivity]


class _OccupationFile(_Part):
    occupation: list[StarterOccupation]


@lru_cache(maxsize=1)
def starter_activities() -> tuple[StarterActivity, ...]:
    """The 41 activities in the order of their ids, with descriptions in our words."""
    text = (FOLDER / "activities.toml").read_text(encoding="utf-8")
    return tuple(_ActivityFile.model_validate(tomllib.loads(text)).activity)


def starter_occupations() -> list[StarterOccupation]:
    """The occupations of all files, by file name."""
    return [
        occupation
        for file in _occupation_files()
        for occupation in _OccupationFile.model_validate(
            tomllib.loads(file.read_text(encoding="utf-8"))
        ).occupation
    ]


def read_starter() -> Catalogue:
    """The starter catalogue as rows; its fingerprint changes with the files."""
    catalogue = Catalogue(
        name=NAME, label="ships with Futura", fingerprint=starter_fingerprint(), is_starter=True
    )
    activities = {activity.element_id: activity for activity in unsaved_activities()}
    catalogue.activities = list(activities.values())
    for content in starter_occupations():
        occupation = Occupation(**content.model_dump(exclude={"titles", "statements"}))
        catalogue.occupations.append(occupation)
        catalogue.titles += [
            AlternateTitle(occupation=occupation, title=title, kind=AlternateTitle.Kind.ALTERNATE)
            for title in content.titles
        ]
        for item in content.statements:
            statement = TaskStatement(
                task_id=content.statement_id(item.id),
                occupation=occupation,
                text=item.text,
                kind=item.kind,
                importance=item.importance,
            )
            catalogue.statements.append(statement)
            catalogue.activity_links += [(statement, activities[key]) for key in item.activities]
    return catalogue


def unsaved_activities() -> list[WorkActivity]:
    """The 41 activities as rows of no release."""
    return [
        WorkActivity(
            element_id=row.id, name=row.name, description=row.description, group=group_of(row.id)
        )
        for row in starter_activities()
    ]


def _occupation_files() -> list[Path]:
    return sorted(FOLDER.glob("[0-9][0-9]-*.toml"))


def starter_fingerprint() -> str:
    total = hashlib.sha256(SALT)
    for file in [FOLDER / "activities.toml", *_occupation_files()]:
        total.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()
