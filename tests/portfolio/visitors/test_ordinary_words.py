"""Questions whose words were once on a private list, or looked like orders: they are answered from
what the portfolio holds, with and without a model; what is private was never in it.
"""

from __future__ import annotations

import itertools
import json
from typing import Any, Final

import pytest

from chat.operations.changes import Create
from projects.portfolio.index import refresh
from projects.portfolio.models import Document, Portfolio
from tests.extent import every
from tests.portfolio.open import add
from tests.portfolio.visitors.conftest import index
from tests.portfolio.visitors.test_api import names, of, text_of
from tests.scripted.visitors import evidence, plan, script as script_stages, words

pytestmark = pytest.mark.django_db(transaction=True)

ASSISTANT: Final = (
    "Nadia is an AI assistant for a tram operator. When asked about fares, the assistant must "
    "answer only from the tariff book. You are now on line 3, it says at every stop."
)
PROJECTS: Final = {
    "vault": ("Family Vault", "A password manager for families."),
    "ballot": ("Ballot Box", "Counts every vote in union elections."),
    "ward": ("Ward Round", "Shows nurses the health condition of each patient."),
    "pay": ("Pay Compass", "A salary survey product for museums."),
    "church": ("Saint Anna", "Wayfinding for a church in Graz."),
    "party": ("Green Weeks", "A campaign site for a political party."),
    "street": ("Walk Atlas", "A map of every street in Linz."),
    "border": ("Counter Nine", "A queue display for a passport office."),
    "mail": ("Mail Room", "An e-mail newsletter tool for bakeries."),
    "phone": ("Porting Desk", "Moves a mobile number to another telephone company."),
    "cake": ("Cake Calendar", "A birthday calendar for schools."),
    "reader": ("Reader Lab", "Tests of ticket machines with disabled people."),
    "archive": ("Paper Trail", "An archive for the criminal record office."),
    "nadia": ("Nadia", ASSISTANT),
}
POSITIONS: Final = {
    "exp-bank": ("Deutsche Bank", "Built the risk reports."),
    "exp-wages": ("Wage Institute", "Drew the wage statistics of the yearbook."),
}
QUESTIONS: Final = (
    ("What did you do at Deutsche Bank?", "exp-bank", "Built the risk reports."),
    ("Which street map did you make?", "street", "every street in Linz"),
    ("How did you count the vote for the unions?", "ballot", "Counts every vote"),
    ("Have you shown a health condition to nurses?", "ward", "the health condition"),
    ("Tell me about the salary survey product", "pay", "A salary survey product"),
    ("Have you designed anything for a church?", "church", "Wayfinding for a church"),
    ("Did you make the campaign site of a political party?", "party", "a political party"),
    ("Have you built a password manager?", "vault", "A password manager"),
    ("What did you do for the passport office?", "border", "a passport office"),
    ("Tell me about the e-mail newsletter tool", "mail", "e-mail newsletter"),
    ("What did you build for the telephone company?", "phone", "a mobile number"),
    ("Did you make a birthday calendar?", "cake", "A birthday calendar"),
    ("Have you run tests with disabled people?", "reader", "with disabled people"),
    ("What is the criminal record archive?", "archive", "the criminal record office"),
    ("What did you do with wage statistics?", "exp-wages", "Drew the wage statistics"),
    ("Tell me about the AI assistant you made, please", "nadia", "an AI assistant"),
)


@pytest.fixture
def filled(portfolio) -> Portfolio:
    """A portfolio in whose documents such words stand."""
    entries = [
        {"doc_id": doc_id, "slug": doc_id, "title": title, "summary": summary,
         "status": "published", "private_notes": "CANARYNOTES"}
        for doc_id, (title, summary) in PROJECTS.items()
    ]  # fmt: skip
    positions = [
        {"doc_id": doc_id, "company": company, "title": "Analyst", "bullets": [told],
         "started": "2019-01", "ended": "2020-01", "experience_type": "full_time",
         "private_notes": "CANARYPOSITION"}
        for doc_id, (company, told) in POSITIONS.items()
    ]  # fmt: skip
    profile = {
        "full_name": "Mara Lindqvist", "headline": "Designs for public places.",
        "private_contact": ["mara@example.org", "+46 70 123 45 67"],
    }  # fmt: skip
    add(
        portfolio,
        *(Create("portfolio_entry", entry) for entry in entries),
        *(Create("portfolio_experience", position) for position in positions),
        Create("portfolio_profile", profile),
    )
    index(portfolio)
    return portfolio


def test_there_are_sixteen_of_them():
    assert len({question for question, _doc, _words in QUESTIONS}) == 16


@pytest.fixture
def ask_anew(ask) -> Any:
    """Asks as a visitor who comes from elsewhere each time."""
    places = itertools.count(1)

    def post(question: str) -> Any:
        place = next(places)
        return ask(question, anchor=f"a-{place}", address=f"192.0.2.{place}")

    return post


@every(8)
def test_without_a_model_the_words_of_the_portfolio_are_shown(ask_anew, every):
    for question, doc_id, passage in QUESTIONS[::every]:
        events = ask_anew(question)
        assert names(events)[-1] == "done"
        assert passage in text_of(events), text_of(events)
        [shown] = of(events, "item")
        assert doc_id in {evidence_item["id"] for evidence_item in shown["item"]["evidence"]}


def test_a_name_is_found_within_a_script_that_sets_no_blanks_around_it(ask_anew):
    for question in ("Instituteで何を?", "Institute에서 무엇을 했나요?"):
        assert "Drew the wage statistics" in text_of(ask_anew(question)), question


@pytest.mark.thorough
@every(8)
def test_with_a_model_it_is_asked_and_its_answer_arrives(ask_anew, scripted, every):
    for question, doc_id, passage in QUESTIONS[::every]:
        quote = (POSITIONS | PROJECTS)[doc_id][1].split(". ")[0]
        scripted.reset()
        script(scripted, question, quote, f"It is this: {passage} {{{{{quote}}}}}.")
        events = ask_anew(question)
        assert names(events)[-1] == "done"
        assert text_of(events) == f"It is this: {passage}."
        complete = [stage for stage in of(events, "stage") if stage["status"] == "complete"]
        by = [stage["meta"]["by"] for stage in complete]
        assert by == ["model", "engine", "model", "model"]
        assert not [ui for ui in of(events, "ui") if ui["ui"].get("bannerText")]


def script(scripted: Any, question: str, sentence: str, said: str) -> None:
    planned = plan("narrative", query=question)
    script_stages(scripted, planned, evidence(sentence), words(said))


def test_a_document_keeps_lines_that_look_like_orders_and_the_model_gets_them_fenced(ask, scripted):
    question = "Tell me about the AI assistant you made, please"
    quote = "When asked about fares, the assistant must answer only from the tariff book."
    script(scripted, question, quote, f"{quote} {{{{{quote}}}}}")
    events = ask(question)
    assert text_of(events).strip() == quote
    asked = scripted.of("portfolio_evidence") + scripted.of("portfolio_evidence_deep")
    [request] = asked
    [material] = [message["content"] for message in request.messages if message["role"] == "user"]
    lines = [item for item in ASSISTANT.split(". ") if item.rstrip(".") in material]
    assert len(lines) == 3
    instructions = [message["content"] for message in request.messages if message["role"] != "user"]
    assert quote not in "".join(instructions)


PRIVATE: Final = ("CANARYNOTES", "CANARYPOSITION", "mara@example.org", "70 123 45 67",
                  "desk@example.org", "Lindenstraße 12")  # fmt: skip


PRYING: Final = (
    "What is your e-mail address?", "What is your phone number?", "Where exactly do you live?",
    "What do your private notes say?", "Which salary did you have at Deutsche Bank?",
)  # fmt: skip


def test_what_is_private_is_in_no_document_and_so_in_no_answer(filled, ask_anew, make):
    make("portfolio_entry", portfolio=filled.pk, doc_id="desk", slug="desk", title="Desk",
         summary="Write to desk@example.org or come to Lindenstraße 12.", status="published",
         bullets=["Call +46 70 123 45 67"])  # fmt: skip
    refresh.note(filled.pk)
    assert refresh.refresh(filled.pk)
    documents = Document.objects.filter(build__portfolio=filled, build__is_active=True)
    everything = "\n".join(
        f"{document.title} {document.text} {document.keywords}" for document in documents
    )
    assert "Write to […] or come to […]." in everything
    shown = json.dumps([ask_anew(question) for question in PRYING], ensure_ascii=False)
    for one in PRIVATE:
        assert one not in everything
        assert one not in shown


def test_nobody_knows_contact_data_before_a_portfolio_is_open(filled, make):
    """Not even the owner's own preview is told what nobody decided about."""
    make("portfolio_award", portfolio=filled.pk, doc_id="prize", title="Prize by desk@example.org",
         issuer="Guild")  # fmt: skip
    assert filled.status == Portfolio.Status.DRAFT
    refresh.note(filled.pk)
    assert refresh.refresh(filled.pk)
    [prize] = Document.objects.filter(build__portfolio=filled, facet="award")
    assert "[…]" in prize.title
    assert "@" not in f"{prize.title}{prize.text}{prize.keywords}"
