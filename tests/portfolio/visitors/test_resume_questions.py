"""A résumé as a PDF, checked and published, and the questions that visitors once were told wrong
answers to: asked again through the API, with and without a model.
"""

from __future__ import annotations

import re
from typing import Final

import pytest

from projects.portfolio.index.refresh import note, refresh
from projects.portfolio.models import Portfolio
from tests.extent import every
from tests.portfolio.intake.layouts import GEODESIST
from tests.portfolio.sources_pages.conftest import give, page, resume_file
from tests.portfolio.visitors.test_api import names, of, text_of
from tests.scripted.visitors import Asked, FaithfulVisitorsModel

__all__ = ["give", "page"]

pytestmark = pytest.mark.django_db(transaction=True)
NORD: Final = "Junior Engineer — Vermessung Nord: 2015 to February 2018, at least 2 years 2 months."
QUESTIONS: Final = (
    ("Where do you work now?", "Current position: Survey Engineer — Alpine Geo GmbH"),
    ("Which awards do you have?", "Awards: 3 (Dean's Scholarship"),
    ("How many years of Python?", "Python: Survey Engineer — Alpine Geo GmbH. Total time:"),
    ("Who worked with you on the Mur pilot?",
     "Measured 40 km of torrent beds for the Mur pilot with Lena Hofer and Karl Moser."),
    ("What did you do at Vermessung Nord?", "Staked out two tunnels."),
    ("How long did you work at Vermessung Nord?", NORD),
    ("Which degrees do you have?", "Education: 3 (A-levels, Gymnasium Leoben; BSc"),
    ("Where did you study?", "Education: 3 (A-levels, Gymnasium Leoben; BSc"),
    ("When did you finish your MSc?", "Degree: MSc"),
    ("Which languages do you speak?", "Languages: 3 (English, C1; German, native; Slovene, B1)."),
    ("Do you speak Slovene?", "Language: Slovene"),
    ("What have you published?", "Publications: 2 ("),
    ("Did you write about torrents?", "(2018): Torrents from above."),
    ("Did you win the Young Surveyor Prize?", "Award: Young Surveyor Prize"),
    ("What was your latest award?", "Latest award: Best Paper Award, AGIT (2019)."),
    ("Do you know QGIS?", "Skill: QGIS"),
    ("Have you worked with C++?", "Skill: C++"),
    ("Are you with the mountain rescue service?", "Company: Mountain rescue service"),
    ("Which volunteering have you done?", "Volunteering: 2 (Coding mentor — CoderDojo Graz;"),
    ("What was your first job?", "First position: Junior Engineer — Vermessung Nord"),
    ("How many positions have you had?", "Positions: 2 (Junior Engineer — Vermessung Nord;"),
    ("Do you know Java?", ""),
)  # fmt: skip

OTHER_LANGUAGES: Final = (
    ("Wie lange haben Sie denn bei Vermessung Nord gearbeitet?", NORD),
    ("Was haben Sie bei Vermessung Nord gemacht?", "Staked out two tunnels."),
    ("Arbeiten Sie noch bei Alpine Geo?", "Company: Alpine Geo GmbH"),
    ("Haben Sie eigentlich schon einmal mit QGIS gearbeitet?", "Skill: QGIS"),
    ("Wer war Ihr letzter Arbeitgeber?", "Latest position: Survey Engineer — Alpine Geo GmbH"),
    ("Welche Abschlüsse haben Sie?", "Education: 3 (A-levels"),
    ("Welche Sprachen sprechen Sie?", "Languages: 3 (English, C1;"),
    ("¿Tiene usted experiencia con QGIS?", "Skill: QGIS"),
    ("¿Qué hizo usted en Vermessung Nord?", "Staked out two tunnels."),
    ("Est-ce que vous avez travaillé avec C++ ?", "Skill: C++"),
    ("Qu’avez-vous fait chez Vermessung Nord ?", "Staked out two tunnels."),
    ("Haben Sie Erfahrung mit Java?", ""),
)


@pytest.fixture
def filled(portfolio, give) -> Portfolio:
    """A portfolio that holds nothing but what was read from the PDF and confirmed."""
    give("resume", file=resume_file(GEODESIST.text))
    note(portfolio.pk)
    assert refresh(portfolio.pk)
    return portfolio


@pytest.mark.thorough
def test_without_a_model_the_records_answer_and_nothing_is_denied_or_affirmed(ask):
    assert len(QUESTIONS) == 22
    wrong = []
    for number, (question, words) in enumerate(QUESTIONS + OTHER_LANGUAGES):
        text = text_of(ask(question, anchor=f"b-{number}", address=f"192.0.2.{number}"))
        affirms = re.search(r"\b(?:yes|no,|not say|never)\b", text, re.IGNORECASE)
        is_right = words in text if words else "no matching sentence" in text
        if affirms or not is_right:
            wrong.append((question, text))
    assert wrong == []


@every(11)
def test_with_a_right_model_each_answer_stands_on_the_records(ask, scripted, every):
    cases = [
        Asked(question, f"So it is. {{{{{words}}}}}", [words])
        if words
        else Asked(question, "My portfolio shows no Java; it shows Python.", verdict="unknown")
        for question, words in QUESTIONS[::every]  # without a model all of them are asked
    ]
    FaithfulVisitorsModel(scripted, cases)
    for number, case in enumerate(cases):
        events = ask(case.question, anchor=f"m-{number}", address=f"192.0.2.{number}")
        assert names(events)[-1] == "done"
        quotes = [
            evidence_item["quote"]
            for item in of(events, "item")
            for evidence_item in item["item"]["evidence"]
        ]
        assert len(quotes) == len(case.sentences), case.question
        assert all(quote.startswith(words) for quote, words in zip(quotes, case.sentences,
                                                                   strict=True))  # fmt: skip
