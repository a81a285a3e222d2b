"""One portfolio asked in four languages through its doors, with a model that is right."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from django.utils import timezone

from chat.events.log import redis
from chat.models import Message, Session
from projects.portfolio.models import OpenQuestion
from projects.portfolio.visitors.contract import KIND
from tests.extent import every
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


@every(6)
def test_a_right_answer_arrives_whole_by_the_api(ask, scripted, every):
    for number, case in enumerate(CASES[::every]):
        scripted.reset()
        FaithfulVisitorsModel(scripted, CASES)
        events = ask(
            case.question, conversationId=f"of-its-own-{number}", address=f"192.0.2.{number}"
        )
        _arrives_whole(case, events, scripted)
    asked = {case.question for case in CASES[::every] if case.verdict == "unknown"}
    assert set(OpenQuestion.objects.values_list("question", flat=True)) == asked


def _arrives_whole(case, events, scripted):
    assert names(events)[-1] == "done"
    assert text_of(events) == bare(case.says)
    meta = {
        stage["stage"]: stage["meta"]
        for stage in of(events, "stage")
        if stage["status"] == "complete"
    }
    assert meta["evidence"]["verdict"] == case.verdict
    quotes = [
        evidence_item["quote"]
        for item in of(events, "item")
        for evidence_item in item["item"]["evidence"]
    ]
    assert len(quotes) == len(case.sentences)
    assert all(any(quote.startswith(sentence) for quote in quotes) for sentence in case.sentences)
    calls = [
        request.stage for request in scripted.requests if request.stage.startswith("portfolio")
    ]
    assert calls == ["portfolio_planner", "portfolio_evidence", "portfolio_answer"]


IN_FOUR_LANGUAGES = (CASES[5], CASES[6], CASES[10], CASES[11])


@pytest.mark.thorough
@every(4)
def test_the_same_on_the_public_page_and_in_the_widget(published, browser, drain, scripted, every):
    FaithfulVisitorsModel(scripted, CASES)
    cases = IN_FOUR_LANGUAGES[::every]
    for case in cases:
        redis().flushall()  # each with a minute of its own
        visitor = browser()
        visitor.post("/p/mara/ask", {"text": case.question})
        drain()
        token = visitor_of_widget(browser)
        browser().post("/p/mara/widget/ask", {"visitor": token, "text": case.question})
        drain()
        replies = Message.objects.filter(session__kind=KIND, role=Message.Role.ASSISTANT)
        assert replies.filter(text=bare(case.says)).count() == 2, case.language
        html = visitor.get("/p/mara").text
        assert 'class="claim"' in html
        assert case.sentences[0] in html
        assert "[s" not in html
    assert replies.count() == 2 * len(cases)


def visitor_of_widget(browser):
    return re.search(r'name="visitor" value="([^"]+)"', browser().get("/p/mara/widget").text)[1]


SOUND = "Kiln: 40."
INVENTED = {
    "English": ("Yes, at CERN [s9999].", "I like kilns."),
    "German": ("Ja, am CERN [s9999].", "Ich mag Öfen."),
    "Spanish": ("Sí, en el CERN [s9999].", "Me gustan los hornos."),
    "Japanese": ("はい、CERNで使いました[s9999]。", "窯が好きです。"),
}


@every(4)
def test_on_page_and_widget_an_invention_with_an_id_is_not_shown_and_one_without_is_no_claim(
    published, browser, drain, scripted, every
):
    for language, (invented, uncited) in list(INVENTED.items())[::every]:
        redis().flushall()  # each with a minute of its own
        scripted.reset()
        _no_invention_is_shown(browser, drain, scripted, language, invented, uncited)


def _no_invention_is_shown(browser, drain, scripted, language, invented, uncited):
    script(scripted, plan(language=language), evidence(KILN),
           words(f"{invented} {uncited} {SOUND} {{{{{KILN}}}}}"))  # fmt: skip
    visitor = browser()
    visitor.post("/p/mara/ask", {"text": "Kiln?"})
    drain()
    token = visitor_of_widget(browser)
    frame = browser()
    frame.post("/p/mara/widget/ask", {"visitor": token, "text": "Kiln?"})
    drain()
    sent = {"visitor": token, "text": "And?"}
    for html in (visitor.get("/p/mara").text, frame.post("/p/mara/widget/ask", sent).text):
        assert "CERN" not in html
        assert "s9999" not in html
        assert uncited in html
        claims = re.findall(r'<a class="claim"[^>]*>(.*?)<sup>', html)
        assert claims == [SOUND]
    [request, *_more] = scripted.of("portfolio_answer")
    assert f"in {language}" in request.messages[0]["content"]


PLACES = (
    (KILN, "/p/mara/kiln#:~:text=I%20built%20it%20for%2040%20studios%20in%20Sweden."),
    (NPR, "/p/mara/work#position-exp-npr:~:text=Built%20charts%20for%20the%20news%20desk."),
    (GO, "/p/mara/kiln#:~:text=Go"),
    ("I build systems that people do not notice.",
     "/p/mara/work#:~:text=I%20build%20systems%20that%20people%20do%20not%20notice."),
)  # fmt: skip


def test_a_claim_opens_its_sentence_and_leads_to_the_place_where_it_stands(
    published, browser, drain, scripted
):
    for sentence, place in PLACES:
        redis().flushall()  # each with a minute of its own
        scripted.reset()
        _claim_leads_to(browser, drain, scripted, sentence, place)
    scripted.reset()
    _computed_fact_claims_no_place(browser, drain, scripted)


def _claim_leads_to(browser, drain, scripted, sentence, place):
    script(scripted, plan(), evidence(sentence), words(f"So it is {{{{{sentence}}}}}."))
    visitor = browser()
    visitor.post("/p/mara/ask", {"text": "Is it so?"})
    drain()
    html = visitor.get("/p/mara").text
    anchor = re.search(r'<a class="claim" href="#([^"]+)"', html)[1]
    source = html.split(f'id="{anchor}"')[1].split("</div>")[0]
    assert f"<mark>{sentence}</mark>" in source
    assert f'href="{place}"' in source
    page, _hash, directive = place.partition("#")
    there = visitor.get(page).text
    assert unquote(directive.partition("text=")[2]) in there
    if directive.startswith("position"):
        assert f'id="{directive.partition(":")[0]}"' in there


def _computed_fact_claims_no_place(browser, drain, scripted):
    script(scripted, plan(), evidence(NOW), words(f"At Acme Corp {{{{{NOW}}}}}."))
    visitor = browser()
    visitor.post("/p/mara/ask", {"text": "Where do you work now?"})
    drain()
    html = visitor.get("/p/mara").text
    source = html.split('<div class="source"')[1].split("</div>")[0]
    assert "Calculated from dates and lists" in source
    assert "Quoted from" not in source
    assert "<a" not in source


def test_an_invented_id_or_an_address_that_stands_nowhere_is_never_shown(ask, scripted):
    said = "Ja, das kenne ich [s9999]. Kiln ist in Go geschrieben. {{Languages: Go}}"
    script(scripted, plan(), evidence(GO), words(said))
    events = ask("Kennst du Go?")
    assert text_of(events) == "Kiln ist in Go geschrieben."
    assert "s9999" not in str(events)
    scripted.reset()
    said = (
        "Kiln is in Go {{Languages: Go}}. See [it](https://evil.example/x). Write m@evil.example."
        " Call +46 70 123 45 67 now. That is all."
    )
    script(scripted, plan(), evidence(GO), words(said))
    assert text_of(ask("Kennst du Go?", anchor="a-2")) == "Kiln is in Go. That is all."


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


def test_a_follow_up_that_found_no_answer_reaches_its_owner_as_a_question_of_its_own(
    published, alice, browser, drain, scripted
):
    visitor = browser()
    for asked, whole in (("Have you used Go?", "Go?"), ("And at sea?", "Was Go used at sea?")):
        script(scripted, plan(query=whole), evidence(verdict="unknown"), words("I cannot tell."))
        visitor.post("/p/mara/ask", {"text": asked})
        drain()
    questions = set(OpenQuestion.objects.values_list("question", flat=True))
    assert questions == {"Have you used Go?", "Was Go used at sea?"}
    # and leads to where it was asked
    asked_last = Message.objects.get(text="And at sea?")
    desk = f"/portfolio/{published.pk}/desk"
    visit = f"{desk}/conversations/{asked_last.session_id}#m-{asked_last.pk}"
    inbox = f"{desk}/unanswered"
    assert f'href="{visit}"' in browser(alice).get(inbox).text
    asked_last.session.deleted_at = timezone.now()
    asked_last.session.save()
    assert "#m-" not in browser(alice).get(inbox).text


def test_what_is_no_yes_or_no_question_is_answered_with_its_sentences(
    published, alice, browser, drain, scripted
):
    school = "School: Chalmers"
    for number, (question, language, says) in enumerate(
        (
            ("Where did you study?", "English", "At Chalmers."),
            ("どこで学びましたか？", "Japanese", "チャルマースです。"),
        )
    ):
        redis().flushall()  # each with a minute of its own
        scripted.reset()
        script(scripted, plan("list", cards=False, language=language),
               evidence(school, verdict="n/a"), words(f"{says} {{{{{school}}}}}"))  # fmt: skip
        visitor = browser()
        visitor.post("/p/mara/ask", {"text": question})
        drain()
        claims = re.findall(r'<a class="claim"[^>]*>(.*?)<sup>', visitor.get("/p/mara").text)
        assert claims == [says]
        desk = browser(alice).get(f"/portfolio/{published.pk}/desk").text
        assert desk.count(">answered</span>") == number + 1
    assert not OpenQuestion.objects.exists()


def test_while_the_model_is_away_the_search_answers_and_says_so_everywhere(
    published, ask, browser, drain, scripted, settings
):
    scripted.on("portfolio_planner").status(500)
    events = ask("Have you used Go?")
    assert names(events)[-1] == "done"
    [shown] = of(events, "ui")
    assert shown["ui"]["bannerText"] == "Basic mode: the language model is not reachable."
    assert "Languages: Go" in text_of(events)
    visitor = browser()
    visitor.post("/p/mara/ask", {"text": "Have you used Go?"})
    drain()
    # the page says it once, as it does of every answer
    page = visitor.get("/p/mara").text
    assert page.count("Basic mode: answered without the language model.") == 1
    assert "not reachable" not in page


def test_a_long_conversation_says_that_its_oldest_messages_were_not_used(
    published, browser, drain, scripted
):
    script(scripted, plan(), evidence(GO), words("Go {{Languages: Go}}."))
    visitor = browser()
    visitor.post("/p/mara/ask", {"text": "Have you used Go?"})
    drain()
    note = "The oldest messages of this conversation were not used for this answer."
    assert note not in visitor.get("/p/mara").text
    session = Session.objects.get(kind=KIND)
    Message.objects.bulk_create(
        Message(session=session, seq=seq, role="assistant" if seq % 2 else "user",
                text="word " * 2_000, status="complete")
        for seq in range(10, 15)
    )  # fmt: skip
    visitor.post("/p/mara/ask", {"text": "And still?"})
    drain()
    assert note in visitor.get("/p/mara").text
