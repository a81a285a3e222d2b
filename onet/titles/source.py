"""Reads from the database what the title index is made of, and hands out the current index."""

from __future__ import annotations

from typing import Final

from onet.lexical.store import open_index, shared_index
from onet.models import AlternateTitle, Occupation, Release, TaskStatement
from onet.titles.index import TitleIndex, TitleSource, build

VERSION: Final = 4
"""Raise when the same catalogue gives another index."""


def read_source(release: Release) -> TitleSource:
    """Occupations, their names and their statements. Three queries."""
    rows = list(Occupation.objects.filter(release=release).order_by("code"))
    place = {row.pk: number for number, row in enumerate(rows)}
    texts: list[list[str]] = [[] for _ in rows]
    statements = TaskStatement.objects.filter(release=release).order_by("pk")
    for owner, text in statements.values_list("occupation_id", "text"):
        texts[place[owner]].append(text)
    names = AlternateTitle.objects.filter(occupation__release=release)
    # Reported names first: where two are written alike, theirs is the everyday spelling.
    listed = names.order_by("-kind", "pk").values_list("occupation_id", "title")
    return TitleSource(
        codes=[row.code for row in rows],
        names=[row.title for row in rows],
        descriptions=[row.description for row in rows],
        texts=[" ".join(one) for one in texts],
        titles=[(place[owner], title) for owner, title in listed],
    )


def title_index(release: Release) -> TitleIndex:
    """The index of a release: from memory, from disk, or built now (a few seconds)."""
    name = f"titles-{VERSION}-{release.fingerprint[:24]}"
    return shared_index(
        "titles",
        name,
        lambda: TitleIndex.load(open_index(name, lambda: build(read_source(release)))),
    )
