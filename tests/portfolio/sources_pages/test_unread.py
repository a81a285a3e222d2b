"""What of a resume became no record is shown to its owner, with where to add it."""

from __future__ import annotations

import pytest

from projects.portfolio.models import Award, Education, Experience, Source
from tests.portfolio.resumes import SAMPLES

pytestmark = pytest.mark.django_db


def test_the_page_of_a_resume_lists_what_was_not_read(page, portfolio, give):
    sample = SAMPLES[0]
    give("resume", text=sample.text)
    source = Source.objects.get(portfolio=portfolio, kind=Source.Kind.RESUME)
    shown = page.get(f"/portfolio/{portfolio.pk}/sources/{source.pk}").content.decode()
    assert "Not read" in shown
    assert "Torrents from above" in shown
    assert "Slovene (B1)" in shown
    assert f"/portfolio/{portfolio.pk}/records/awards" in shown
    listed = page.get(f"/portfolio/{portfolio.pk}/sources").content.decode()
    assert "Some of it was not read" in listed
    assert {one.company for one in Experience.objects.filter(portfolio=portfolio)} >= {
        "CoderDojo Graz", "Mountain rescue service",
    }  # fmt: skip
    assert Education.objects.filter(portfolio=portfolio).count() == 3
    assert Award.objects.filter(portfolio=portfolio).count() == 3
