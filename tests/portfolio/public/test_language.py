"""A portfolio's own language: chosen by its owner, yielding to what a visitor chose by hand."""

from __future__ import annotations

import json
import re

import pytest
from django.urls import reverse
from django.utils import translation

from chat import zones
from chat.models import Message, Session
from chat.operations.models import OperationBatch
from projects.portfolio.models import Portfolio
from projects.portfolio.visitors.contract import KIND

pytestmark = pytest.mark.django_db
FRENCH = {"accept-language": "fr"}
PAGES = ("/p/mara", "/p/mara/work", "/p/mara/tram-times", "/p/mara/kept", "/p/mara/contact")


@pytest.fixture
def mara(browser, alice):
    return browser(alice)


@pytest.fixture
def german(opened, mara):
    """Mara's open portfolio, in German."""
    assert choose(mara, opened, "de").status_code in {200, 302, 303}
    opened.refresh_from_db()
    return opened


def choose(page, portfolio, code):
    portfolio.refresh_from_db()
    names = {"owner_name": portfolio.owner_name, "domain_label": portfolio.domain_label}
    form = {**names, "language": code, "version": portfolio.version}
    return page.post(reverse("portfolio:settings", args=[portfolio.pk]), form)


def language_of(answer) -> str:
    return re.search(r'<html lang="([^"]+)"', answer.content.decode())[1]


def last_answer() -> str:
    return Message.objects.filter(session__kind=KIND, role="assistant").latest("seq").text


def test_its_pages_are_in_its_language_for_who_chose_none(german, browser):
    for path in (*PAGES, "/p/mara/widget"):
        answer = browser().get(path, headers=FRENCH)
        assert language_of(answer) == "de", path
        assert answer.headers["Content-Language"] == "de", path


def test_its_widget_is_opened_by_words_in_its_language(german, browser):
    with translation.override("de"):
        words = translation.gettext("Ask %(name)s") % {"name": german.owner_name}
    script = browser().get("/p/mara/widget.js", headers=FRENCH)
    assert json.dumps(words) in script.content.decode()


def test_what_a_visitor_chose_comes_first_on_every_device(german, browser, bob, participant_of):
    participant_of(bob)
    here = browser(bob)
    here.post(reverse("chat:language"), {"language": "es"})
    for visitor in (here, browser(bob)):
        assert [language_of(visitor.get(path)) for path in PAGES] == ["es"] * len(PAGES)


def test_a_visitor_is_answered_in_it_and_keeps_their_own_elsewhere(german, browser, drain):
    visitor = browser()
    page = visitor.get("/p/mara", headers=FRENCH).content.decode()
    asked = re.findall(r'name="text" value="([^"]+)"', page)
    with translation.override("de"):
        assert asked[-1] == translation.gettext("How does this work?")
    visitor.post("/p/mara/ask", {"text": "Zxqv?"}, headers=FRENCH)
    drain()
    german_answer = last_answer()
    session = Session.objects.get(kind=KIND)
    assert zones.place_of(session.participant_id).language == "fr"
    visitor.post(reverse("chat:language"), {"language": "fr"})
    visitor.post("/p/mara/ask", {"text": "Zxqv?"}, headers=FRENCH)
    drain()
    assert last_answer() != german_answer
    assert language_of(visitor.get("/projects", headers={"accept-language": "en"})) == "fr"


def test_a_visitor_who_chose_before_the_first_question_is_answered_in_it(german, browser, drain):
    visitor = browser()
    visitor.get("/p/mara")
    visitor.post(reverse("chat:language"), {"language": "es"})
    visitor.post("/p/mara/ask", {"text": "Zxqv?"})
    drain()
    with translation.override("es"):
        words = translation.gettext("I found no matching sentence in the portfolio.")
    assert last_answer().startswith(words)


def test_a_visitor_chooses_on_every_page_and_comes_back_to_it(german, browser):
    for path in PAGES:
        visitor, sent = browser(), {"language": "es", "next": path}
        html = visitor.get(path, headers=FRENCH).content.decode()
        assert f'name="next" value="{path}"' in html
        answer = visitor.post(reverse("chat:language"), sent, follow=True)
        assert language_of(answer) == "es", path


def test_the_owner_sees_it_as_visitors_do(german, mara):
    mara.post(reverse("chat:language"), {"language": "fr"})
    preview = reverse("portfolio_desk:preview", args=[german.pk])
    assert [language_of(mara.get(path)) for path in (preview, "/p/mara")] == ["de", "de"]
    assert language_of(mara.get(reverse("portfolio:overview", args=[german.pk]))) == "fr"


def test_each_visitor_can_have_their_own(german, mara, browser):
    choose(mara, german, "visitor")
    answer = browser().get("/p/mara", headers=FRENCH)
    assert language_of(answer) == "fr"
    assert "inLanguage" not in answer.content.decode()


def test_a_new_portfolio_has_its_owners_language(browser, bob):
    page = browser(bob)
    form = {"owner_name": "Bob Marsh", "domain_label": "Gärtner"}
    page.post(reverse("portfolio:home"), form, headers={"accept-language": "de"})
    assert Portfolio.objects.get().language == "de"


def test_the_choice_is_exported_shown_in_words_and_undone(german, mara):
    assert mara.get(f"/api/portfolio/{german.pk}").json()["language"] == "de"
    batch = OperationBatch.objects.latest("created_at")
    shown = mara.get(reverse("operations:batch", args=[batch.pk])).content.decode()
    assert "Deutsch" in shown
    address = reverse("operations:undo_all", args=[batch.pk])
    digest = re.search(r'name="digest" value="([^"]+)"', mara.get(address).content.decode())[1]
    mara.post(address, {"digest": digest})
    german.refresh_from_db()
    assert german.language == "visitor"


def test_programs_choose_it_by_the_command(opened, mara):
    def run(code):
        arguments = {"id": str(opened.pk), "language": code}
        sent = {"name": "change_portfolio", "arguments": arguments}
        return mara.post("/api/commands", sent, content_type="application/json")

    assert run("es").json()["status"] == "done"
    opened.refresh_from_db()
    assert opened.language == "es"
    assert run("tlh").status_code == 400


def test_a_language_that_the_interface_lacks_is_refused(opened, mara):
    assert choose(mara, opened, "tlh").status_code == 422
    opened.refresh_from_db()
    assert opened.language == "visitor"
