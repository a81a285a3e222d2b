"""Realistic resumes without a model: what is read is right or empty, and never fused."""

from __future__ import annotations

import re

import pytest

from projects.portfolio.contact import find_contacts
from projects.portfolio.intake import extract
from projects.portfolio.intake.basic.resume import drafts_of
from projects.portfolio.intake.basic.sections import heading_of
from projects.portfolio.intake.drafts import Draft, from_json
from projects.portfolio.models import Award, Credential, Education, Experience, Profile
from tests.extent import some
from tests.portfolio.intake.fidelity import fidelity
from tests.portfolio.intake.layouts import (
    GERMAN_SIDEBAR,
    IN_GERMAN,
    SAMPLES,
    SIDEBAR,
    Sample,
)
from tests.portfolio.intake.resumes import HELD_OUT, SEEN
from tests.portfolio.sources import pdf_of, pdf_of_columns
from tests.portfolio.sources_pages.conftest import resume_file, rows


@pytest.mark.parametrize("resume", [*SEEN, HELD_OUT], ids=lambda item: item.name)
@pytest.mark.parametrize("form", ["text", "pdf"])
def test_a_resume_of_two_pages_is_read_right_or_left_empty(resume, form):
    text = resume.text if form == "text" else extract.text_of(pdf_of(resume.text))
    found = fidelity(drafts_of(text), resume)
    assert (found.wrong, found.fused, found.invented) == ([], [], [])
    assert found.right / (found.right + found.empty) > 0.9


def _pairs(drafts: list[Draft], sample: Sample) -> list[str]:
    """Drafts of positions, degrees and awards that are no true one, or have words of another."""
    faults = []
    for draft in drafts:
        told = draft.values
        if draft.kind in {"position", "volunteering"}:
            truth, key = sample.positions, (told.get("title", ""), told.get("company", ""))
        elif draft.kind == "education":
            truth, key = sample.degrees, (told.get("degree", ""), told.get("institution", ""))
        elif draft.kind == "award":
            truth, key = sample.awards, (told.get("title", ""), told.get("date", ""))
        else:
            continue
        own = [
            item
            for item in truth
            if all(not read or read.startswith(true) for read, true in zip(key, item, strict=True))
        ]
        if not own and any(key):
            faults.append(f"{draft.kind}: {key}")
    return faults


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda item: item.name)
@pytest.mark.parametrize("form", ["text", "pdf"])
def test_other_layouts_fuse_nothing_and_lose_no_line(sample, form):
    text = sample.text if form == "text" else extract.text_of(pdf_of(sample.text))
    drafts = drafts_of(text)
    assert _pairs(drafts, sample) == []
    assert _lost(drafts, text) == []


@pytest.mark.parametrize("columns", [SIDEBAR, GERMAN_SIDEBAR], ids=lambda item: item.sample.name)
def test_a_sidebar_fuses_nothing_either(columns):
    text = extract.text_of(pdf_of_columns(columns.left, columns.right))
    drafts = drafts_of(text)
    assert _pairs(drafts, columns.sample) == []
    assert _lost(drafts, text) == []


@pytest.mark.django_db
@pytest.mark.parametrize("sample", some(IN_GERMAN, len(IN_GERMAN)), ids=lambda item: item.name)
def test_a_german_pdf_ends_in_records_that_are_right_or_empty(give, portfolio, check, sample):
    source = give("resume", confirmed=False, file=resume_file(sample.text))
    assert source.outcome == "check"
    assert _pairs(from_json(source.drafts), sample) == []
    assert _lost(from_json(source.drafts), source.text) == []
    assert check(source, "confirm", incomplete="leave").status_code == 302
    stored = {(row.title, row.company) for row in rows(Experience, portfolio)}
    assert stored <= set(sample.positions)
    assert len(stored) >= len(sample.positions) - 2
    schools = {row.institution for row in rows(Education, portfolio)}
    assert schools <= {school for _degree, school in sample.degrees}
    assert {row.title for row in rows(Award, portfolio)} == {title for title, _on in sample.awards}
    assert rows(Credential, portfolio)
    about = " ".join(word for row in rows(Profile, portfolio) for word in row.about)
    assert not [company for _title, company in sample.positions if company in about]


def _lost(drafts: list[Draft], text: str) -> list[str]:
    """Lines below the first heading that lie in no draft's place; contacts are no records."""
    places = [(draft.start, draft.end) for draft in drafts]
    lost, at, is_below = [], 0, False
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        words = line.strip()
        is_heading = heading_of(words) is not None or words.isupper()
        is_below = is_below or heading_of(words) is not None
        has_words = re.search(r"[^\W\d_]{3}", words) is not None
        covered = any(begin < at and end > start for begin, end in places) or find_contacts(words)
        if has_words and is_below and not is_heading and not covered:
            lost.append(words)
    return lost


def test_a_title_at_the_end_of_a_page_keeps_the_dates_on_the_next():
    pages = (
        "Mara Lindqvist\n\nExperience\nEngineer, Acme AB\n2010-01 – 2012-01, Lund\n• Built it.\n"
        "Engineer, Beta AB\n\n2012-01 – 2013-02, Lund\n• Led it.\n"
    )
    positions = [draft.values for draft in drafts_of(pages) if draft.kind == "position"]
    assert [(row["company"], row["started"], row["location"]) for row in positions] == [
        ("Acme AB", "2010-01", "Lund"),
        ("Beta AB", "2012-01", "Lund"),
    ]


def test_a_title_without_dates_takes_none_of_a_position_below():
    apart = (
        "Mara Lindqvist\n\nExperience\nEngineer, Acme AB\n2010-01 – 2012-01\n• Built it.\n\n"
        "Engineer, Beta AB\n\nDesigner, Gamma AB\n2013-02 – 2014-02\n• Led it.\n"
    )
    started = {
        str(row.values["company"]): row.values.get("started")
        for row in drafts_of(apart)
        if row.kind
    }
    assert started == {"Acme AB": "2010-01", "Beta AB": None, "Gamma AB": "2013-02"}
