"""Whole resumes by rules: a record is right or there is none; no line is lost without a word."""

from __future__ import annotations

import re

import pytest

from projects.portfolio.preprocess.resume import pdf
from projects.portfolio.preprocess.resume.records import Resume, resume_of
from projects.portfolio.preprocess.resume.sections import heading_of, sections_of
from tests.portfolio.resumes import SAMPLES, SIDEBAR, Sample
from tests.portfolio.sources import pdf_of, pdf_of_columns

LEAST_CHARS = 4


def read(text: str) -> Resume:
    return resume_of(sections_of(text))


def texts_of(sample: Sample) -> list[str]:
    """The text as it was pasted, and as it comes out of a PDF, which loses blank lines."""
    return [sample.text, pdf.text_of(pdf_of(sample.text))]


def fused(resume: Resume, sample: Sample) -> list[str]:
    """Records that are no record of the resume, or have words of another one."""
    found = []
    for one in resume.records:
        match one.kind:
            case "experience":
                truth, key = sample.positions, (one.title, one.company)
            case "education":
                truth, key = sample.degrees, (one.degree or "", one.institution)
            case "award":
                truth, key = sample.awards, (one.title, one.date or "")
            case _:
                continue
        own = [pair for pair in truth if _is_same(key, pair, is_award=one.kind == "award")]
        if not own:
            found.append(f"{one.kind}: {key}")
            continue
        told = " ".join(str(value) for value in one.model_dump().values())
        others = {word for pair in truth for word in pair if word not in told_of(own)}
        found += [
            f"{key} has {word}"
            for word in others
            if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", without(told, own[0]))
        ]
    return found


def told_of(pairs: list[tuple[str, str]]) -> str:
    return " ".join(word for pair in pairs for word in pair)


def without(told: str, pair: tuple[str, str]) -> str:
    for word in pair:
        told = told.replace(word, " ") if word else told
    return told


def _is_same(key: tuple[str, str], truth: tuple[str, str], *, is_award: bool) -> bool:
    if is_award:
        return key[0].startswith(truth[0]) and key[1] in {truth[1], ""}
    return key == truth


def lost(resume: Resume, text: str) -> list[str]:
    """Lines below the first heading that neither a record nor the unread ones have."""
    told = " ".join(str(value) for one in resume.records for value in one.model_dump().values())
    told = f"{told} {' '.join(one.text for one in resume.unread)}".casefold()
    found = []
    sections = [one for one in sections_of(text) if one.kind not in {"head", "summary"}]
    for line in (line for one in sections for line in one.lines):
        words = [one for one in re.findall(r"[^\W\d_]{4,}", line) if not _is_of_dates(one)]
        if any(one.casefold() not in told for one in words) and not _is_label(line):
            found.append(line)
    return found


def _is_of_dates(word: str) -> bool:
    """Whether it belongs to a date, which a record has as figures."""
    return re.fullmatch(
        r"present|heute|seit|since|summer|june?|july?|sept|(?:septem|okto|octo|novem|decem|dezem)ber",
        word,
        re.IGNORECASE,
    ) is not None  # fmt: skip


def _is_label(line: str) -> bool:
    return re.match(r"\s*[•-]?\s*(?:Languages|Tools|Technologies|Programming)\b", line) is not None


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.name)
def test_records_are_right_or_there_is_none(sample):
    for text in texts_of(sample):
        assert fused(read(text), sample) == []


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.name)
def test_no_line_is_lost_without_a_word(sample):
    for text in texts_of(sample):
        resume = read(text)
        assert lost(resume, text) == []
        unread = "\n".join(one.text for one in resume.unread)
        for words in sample.without_record:
            assert words in unread


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.name)
def test_most_of_it_is_read(sample):
    for text in texts_of(sample):
        records = [one for one in read(text).records if one.kind != "skill"]
        whole = len(sample.positions) + len(sample.degrees) + len(sample.awards)
        assert whole - len(records) <= sample.most_unread


def test_a_sidebar_fuses_nothing_either():
    text = pdf.text_of(pdf_of_columns(SIDEBAR.left, SIDEBAR.right))
    resume = read(text)
    assert fused(resume, SIDEBAR.sample) == []
    assert lost(resume, text) == []
    assert any(heading_of(line) for line in text.splitlines())
