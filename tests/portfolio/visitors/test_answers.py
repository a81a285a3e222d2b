"""One portfolio asked in four languages through its doors, with a model that is right."""

from __future__ import annotations

import re

import pytest

from chat.models import Message, Session
from projects.portfolio.models import OpenQuestion
from projects.portfolio.visitors.contract import KIND
from tests.extent import some
from tests.portfolio.visitors.test_api import names, of, text_of
from tests.scripted.visitors import Asked, FaithfulVisitorsModel, evidence, plan, script, words

pytestmark = pytest.mark.django_db(transaction=True)

GO, KILN = "Languages: Go", "I built it for 40 studios in Sweden."
BAKERY = "It settles 1,200 payments a day."
NOW = "Current position: Senior Engineer — Acme Corp"
NPR = "Built charts for the news desk."
CASES = (
    Asked("Have you used Go?", f"Yes, I have. Kiln is written in it. {{{{{GO}}}}}", [GO]),
    Asked("Where do you work now?", f"At Acme Corp, since January 2022 {{{{{NOW}}}}}.", [NOW]),
    Asked("How many payments a day?", f"1,200 a day {{{{{BAKERY}}}}}.", [BAKERY]),
    Asked("Do you know Java?", "No, I do not work with it {{I do not work with Java.}}.",
          ["I do not work with Java."], verdict="no"),
    Asked("Have you used Rust?", "Rust is not something my portfolio shows; Go is.",
          verdict="unknown"),
    Asked("And where was it used?", f"In 40 studios in Sweden {{{{{KILN}}}}}.", [KILN],
          standalone="Where was Kiln used?"),
    Asked("Hast du mit Go gearbeitet?",
          f"Ja. Die Ofensteuerung Kiln habe ich für 40 Werkstätten in Schweden gebaut "
          f"{{{{{KILN}}}}}. Das waren am Ende 14 Monate Arbeit.", [KILN], language="German"),
    Asked("Wo arbeitest du jetzt?", f"Seit dem 1. Januar 2022 bei Acme Corp {{{{{NOW}}}}}.", [NOW],
          language="German"),
    Asked("Kennst du Rust?", "Dazu steht in meinem Portfolio leider nichts.", verdict="unknown",
          language="German"),
    Asked("¿Qué hiciste en NPR?", f"Hice gráficos para la redacción {{{{{NPR}}}}}.", [NPR],
          language="Spanish"),
    Asked("¿Y dónde se usó?", f"En 40 talleres de Suecia {{{{{KILN}}}}}.", [KILN],
          language="Spanish", standalone="¿Dónde se usó Kiln?"),
    Asked("Goを使ったことがありますか？",
          f"はい。{{{{{GO}}}}}スウェーデンの40の工房のために作りました。"
          f"{{{{{KILN}}}}}今も動いています。", [GO, KILN], language="Japanese"),
)  # fmt: skip


def bare(text: str) -> str:
    """The words of an answer without the marks of its sentences."""
    return re.sub(r"[ ]*\{\{.+?\}\}", "", text)


@pytest.mark.parametrize("case", some(CASES, 2), ids=lambda case: case.question)
def test_a_right_answer_arrives_whole_by_the_api(ask, scripted, case):
    FaithfulVisitorsModel(scripted, CASES)
    events = ask(case.question)
    assert names(events)[-1] == "done"
    assert text_of(events) == bare(case.says)
    meta = {one["stage"]: one["meta"] for one in of(events, "stage") if one["status"] == "complete"}
    assert meta["evidence"]["verdict"] == case.verdict
    quotes = [one["quote"] for item in of(events, "item") for one in item["item"]["evidence"]]
    assert len(quotes) == len(case.sentences)
    assert all(any(quote.startswith(one) for quote in quotes) for one in case.sentences)
    calls = [one.stage for one in scripted.requests if one.stage.startswith("portfolio")]
    assert calls == ["portfolio_planner", "portfolio_evidence", "portfolio_answer"]
    assert OpenQuestion.objects.count() == (case.verdict == "unknown")


@pytest.mark.parametrize("case", CASES[5:11:5] + CASES[6:7], ids=lambda case: case.question)
def test_the_same_on_the_public_page_and_in_the_widget(published, browser, drain, scripted, case):
    FaithfulVisitorsModel(scripted, CASES)
    visitor = browser()
    visitor.post("/p/mara/ask", {"text": case.question})
    drain()
    token = re.search(r'name="visitor" value="([^"]+)"', browser().get("/p/mara/widget").text)[1]
    browser().post("/p/mara/widget/ask", {"visitor": token, "text": case.question})
    drain()
    replies = Message.objects.filter(session__kind=KIND, role=Message.Role.ASSISTANT)
    assert [reply.text for reply in replies] == [bare(case.says)] * 2
    html = visitor.get("/p/mara").text
    assert 'class="claim"' in html
    assert case.sentences[0] in html
    assert "[s" not in html


def test_an_invented_id_is_never_shown(ask, scripted):
    said = "Ja, das kenne ich [s9999]. Kiln ist in Go geschrieben. {{Languages: Go}}"
    script(scripted, plan(), evidence(GO), words(said))
    events = ask("Kennst du Go?")
    assert text_of(events) == "Kiln ist in Go geschrieben."
    assert "9999" not in str(events)


def test_an_address_that_stands_nowhere_is_never_shown(ask, scripted):
    said = (
        "Kiln is in Go {{Languages: Go}}. See [it](https://evil.example/x). Write m@evil.example."
        " Call +46 70 123 45 67 now. That is all."
    )
    script(scripted, plan(), evidence(GO), words(said))
    assert text_of(ask("Kennst du Go?")) == "Kiln is in Go. That is all."


def test_an_answer_that_moderation_refuses_is_taken_back_on_the_page(
    published, browser, drain, scripted
):
    script(scripted, plan(), evidence(GO), words("Go {{Languages: Go}}. Something overnight."))
    scripted.on("moderation").json({"violence": "overnight"})
    visitor = browser()
    visitor.post("/p/mara/ask", {"text": "Have you used Go?"})
    drain()
    [reply] = Message.objects.filter(session__kind=KIND, role=Message.Role.ASSISTANT)
    assert reply.text.startswith("I cannot answer that here.")
    assert "overnight" not in visitor.get("/p/mara").text
    assert Session.objects.get(kind=KIND).runs.get().status == "completed"
