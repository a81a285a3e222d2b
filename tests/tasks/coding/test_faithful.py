"""A model that is right, over HTTP: every statement reaches rows, JSON and page word for word.

Nine talks in four languages. The model of these tests reads the transcript in the prompt, gives
the number of the message that has the quote, and words each note as the talk's author did.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass

import pytest

from chat.models import Session
from futura.evaluation import EvaluationOptions
from futura.llm.models import AnswerCheck
from tasks.evaluation import evaluate_survey
from tasks.interview.state import SurveyState
from tasks.models import SurveyResponse, WorkTask
from tests.extent import some
from tests.tasks.coding.conftest import say

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True)
class Told:
    """One task: words in the talk, the note, the statement, and its English."""

    quote: str
    note: str
    statement: str
    english: str = ""


@dataclass(frozen=True)
class Talk:
    """Turns of interviewer and person by turns, the interviewer first, and what was told."""

    language: str
    title: str
    turns: tuple[str, ...]
    tasks: tuple[Told, ...]


TALKS = (
    Talk(
        "en",
        "Line technician",
        (
            "What does a shift look like?",
            ("If the line stops I'm the one who gets it going again. Otherwise it's greasing and "
            "swapping worn belts, mostly."),
            "Do you also train the operators?",
            "yep, every new one",
        ),
        (
            Told("If the line stops I'm the one", "getting the line going again when it stops",
                 "Repair breakdowns on the production line"),
            Told("greasing and swapping worn belts", "greasing the line", "Lubricate the line"),
            Told("swapping worn belts", "swapping worn belts", "Replace worn belts"),
            Told("yep, every new one", "training new operators", "Train new operators"),
        ),
    ),
    Talk(
        "en",
        "Parish secretary",
        (
            "What keeps you busy?",
            ("The phone! Weddings, funerals, people who want a room — all of it lands with me. "
            "Then there's the newsletter (Thursdays) and the vicar's diary, which is a full-time "
            "job in itself."),
        ),
        (
            Told("Weddings, funerals, people who want a room", "people who want rooms and dates",
                 "Take bookings for ceremonies and rooms by telephone"),
            Told("the newsletter (Thursdays)", "the Thursday newsletter",
                 "Put together the weekly newsletter"),
            Told("the vicar's diary", "the vicar's diary", "Keep the vicar's diary"),
        ),
    ),
    Talk(
        "en",
        "Goatherd",
        ("And in spring?", "Kidding season. I sit up nights with them, then it's feet and worms."),
        (
            Told("I sit up nights with them", "sitting up with goats at birth",
                 "Attend goats giving birth"),
            Told("feet and worms", "feet", "Trim hooves"),
            Told("worms", "worms", "Treat the herd against worms"),
        ),
    ),
    Talk(
        "de",
        "Pflegefachkraft",
        (
            "Was machen Sie an einem normalen Tag?",
            "Ich messe Blutdruck, richte Tabletten und rede viel mit den Angehörigen.",
            "Schreiben Sie auch die Übergabe?",
            "Ja, nach jeder Schicht.",
        ),
        (
            Told("messe Blutdruck", "Blutdruck messen", "Blutdruck der Patienten messen",
                 "Measure the blood pressure of patients"),
            Told("richte Tabletten", "Tabletten richten", "Tabletten für den Tag richten",
                 "Prepare tablets for the day"),
            Told("rede viel mit den Angehörigen", "mit Angehörigen reden",
                 "Mit Angehörigen sprechen", "Talk with relatives"),
            Told("Ja, nach jeder Schicht", "die Übergabe schreiben",
                 "Übergabeberichte schreiben", "Write handover reports"),
        ),
    ),
    Talk(
        "de",
        "Imker",
        (
            "Womit verbringen Sie den Sommer?",
            ("Mit den Völkern: Durchsicht alle neun Tage, Honig schleudern, und sonntags stehe ich "
            "auf dem Markt."),
        ),
        (
            Told("Durchsicht alle neun Tage", "Durchsicht der Völker",
                 "Bienenvölker durchsehen", "Inspect bee colonies"),
            Told("Honig schleudern", "Honig schleudern", "Honig schleudern", "Extract honey"),
            Told("sonntags stehe ich auf dem Markt", "auf dem Markt stehen",
                 "Honig auf dem Wochenmarkt verkaufen", "Sell honey at the market"),
        ),
    ),
    Talk(
        "es",
        "Dependienta de panadería",
        (
            "¿Qué hace por la mañana?",
            "Abro a las seis, coloco el pan y atiendo a la gente. A mediodía cuadro la caja.",
        ),
        (
            Told("coloco el pan", "colocar el pan", "Colocar el pan en los estantes",
                 "Arrange bread on the shelves"),
            Told("atiendo a la gente", "atender a la gente", "Atender a los clientes",
                 "Serve customers"),
            Told("cuadro la caja", "cuadrar la caja", "Cuadrar la caja a mediodía",
                 "Balance the till at noon"),
        ),
    ),
    Talk(
        "es",
        "Guía de montaña",
        ("¿Prepara también las rutas?", "sí", "¿Y qué más?", "Reviso cuerdas y arneses."),
        (
            Told("sí", "preparar las rutas", "Preparar las rutas", "Plan routes"),
            Told("Reviso cuerdas y arneses", "revisar cuerdas y arneses",
                 "Revisar cuerdas y arneses", "Inspect ropes and harnesses"),
        ),
    ),
    Talk(
        "ja",
        "保育士",
        (
            "普段はどんなお仕事ですか。",
            "朝は子どもを迎えて、お昼は給食を配ります。",
            "連絡帳も書きますか。",
            "はい",
        ),
        (
            Told("朝は子どもを迎えて", "子どもを迎える", "登園する子どもを迎える",
                 "Welcome children in the morning"),
            Told("給食を配ります", "給食を配る", "給食を配膳する", "Serve lunch"),
            Told("はい", "連絡帳を書く", "連絡帳に記入する", "Write in the parents' notebook"),
        ),
    ),
    Talk(
        "ja",
        "整備士",
        ("最近は何をしていますか。", "ブレーキの点検と、お客さんへの説明が多いです。"),
        (
            Told("ブレーキの点検", "ブレーキの点検", "ブレーキを点検する", "Inspect brakes"),
            Told("お客さんへの説明", "お客さんへの説明", "修理内容を顧客に説明する",
                 "Explain repairs to customers"),
        ),
    ),
)  # fmt: skip


def numbered(request) -> list[tuple[int, str]]:
    """The numbered lines of a prompt."""
    lines = re.findall(r"^(?:\[(\d+)\] PERSON:|(\d+)\.) (.+)$", request.last_user, re.MULTILINE)
    return [(int(item or other), text) for item, other, text in lines]


def play(scripted, talk: Talk) -> None:
    """The model understands this talk."""
    statements = {told.note: told for told in talk.tasks}

    def extracted(request) -> dict:
        turns = numbered(request)
        return {
            "extracted_tasks": [
                {"task": told.note, "quote": told.quote, "message": number}
                for told in talk.tasks
                for number, text in turns
                if told.quote in text
            ]
        }

    def worded(request) -> dict:
        return {
            "normalized_tasks": [
                {
                    "number": number,
                    "original": note,
                    "normalized": statements[note].statement,
                    "english": statements[note].english,
                }
                for number, note in numbered(request)
            ]
        }

    def merged(request) -> dict:
        return {
            "deduplicated_tasks": [
                {"final_statement": text, "merged_from": [number], "reasoning": ""}
                for number, text in numbered(request)
            ]
        }

    scripted.on("extraction").json(extracted)
    scripted.on("normalisation").json(worded)
    scripted.on("deduplication").json(merged)
    scripted.on("match_selection").json({"bestIndex": None, "confidence": "none", "reasoning": ""})


def survey_of(talk: Talk, participant) -> SurveyResponse:
    """The talk as it was held, its list waiting to be made."""
    state = SurveyState(job_title=talk.title).model_dump(mode="json", by_alias=True)
    session = Session.objects.create(
        participant=participant, kind="survey", title=talk.title, state=state
    )
    for place, text in enumerate(talk.turns):
        say(session, "user" if place % 2 else "assistant", text)
    return SurveyResponse.objects.create(session=session, job_title=talk.title)


def first_of_two_languages():
    """Every day one talk in German and one in Japanese, all of them when thorough."""
    languages = [talk.language for talk in TALKS]
    firsts = {languages.index(language) for language in ("de", "ja")}
    return [
        pytest.param(
            talk,
            marks=[] if place in firsts else pytest.mark.thorough,
            id=f"{talk.language}-{talk.title}",
        )
        for place, talk in enumerate(TALKS)
    ]


@pytest.mark.parametrize("talk", first_of_two_languages())
@pytest.mark.usefixtures("starter")
def test_every_statement_reaches_the_list_word_for_word(
    scripted, browser, alice, participant_of, drain, talk
):
    play(scripted, talk)
    response = survey_of(talk, participant_of(alice))
    page = browser(alice)
    assert page.post(f"/survey/{response.pk}/finish", follow=True).status_code == 200
    drain()
    response.refresh_from_db()
    assert (response.step, response.basic_mode) == (SurveyResponse.Step.DONE, False)

    rows = list(WorkTask.objects.filter(response=response).order_by("position"))
    assert [(row.statement, row.english) for row in rows] == [
        (told.statement, told.english) for told in talk.tasks
    ]
    for row, told in zip(rows, talk.tasks, strict=True):
        assert row.quote == told.quote
        assert row.message.role == "user"
        assert told.quote in row.message.text
    assert not AnswerCheck.objects.exclude(reason="").exists()

    listed = page.get(f"/api/survey/{response.pk}/tasks").json()["tasks"]
    assert [
        (item["normalizedDescription"], item["english"], item["quote"], item["sourceMessageId"])
        for item in listed
    ] == [(row.statement, row.english or None, row.quote, str(row.message_id)) for row in rows]

    shown = html.unescape(page.get(f"/survey/{response.pk}/tasks").text)
    for told in talk.tasks:
        assert f">{told.statement}</h2>" in shown
        assert f"<mark>{told.quote}</mark>" in shown
        assert not told.english or f'lang="en">{told.english}</p>' in shown


@pytest.mark.parametrize("talk", some([TALKS[3], TALKS[0]], 2), ids=["de", "en"])
@pytest.mark.usefixtures("starter")
def test_the_evaluation_of_surveys_measures_the_stored_lists_of_a_model(scripted, tmp_path, talk):
    play(scripted, talk)
    turns = [
        {"role": "user" if place % 2 else "assistant", "text": text}
        for place, text in enumerate(talk.turns)
    ]
    case = {
        "job_title": talk.title,
        "language": talk.language,
        "turns": turns,
        "tasks": [told.statement for told in talk.tasks],
    }
    path = tmp_path / "talks.jsonl"
    path.write_text(json.dumps(case))
    figures = evaluate_survey(path, EvaluationOptions())
    assert (figures["mode"], figures["f1"]) == ("model", 1.0)
    assert figures["predicted"] == len(talk.tasks)
    assert figures["input_tokens"] > 0
    assert not Session.objects.exists()


def test_the_talks_are_of_the_kind_that_was_measured():
    assert len(TALKS) == 9
    assert sum(len(talk.tasks) for talk in TALKS) == 27
    assert {talk.language for talk in TALKS} == {"en", "de", "es", "ja"}


@pytest.mark.parametrize("talk", some([TALKS[8], TALKS[3], TALKS[5]], 3), ids=["ja", "de", "es"])
@pytest.mark.usefixtures("starter")
def test_words_taken_out_stay_out_and_added_ones_come_word_for_word(
    scripted, browser, alice, participant_of, drain, talk
):
    play(scripted, talk)
    response = survey_of(talk, participant_of(alice))
    page = browser(alice)
    first, *others = talk.tasks
    said = next(m for m in response.session.messages.filter(role="user") if first.quote in m.text)
    own = said.text[: said.text.index(first.quote)] or said.text[-6:-1]
    words = re.search(r"\w+", own)[0]
    url = f"/survey/{response.pk}/chat/words/{said.pk}"
    start = said.text.index(first.quote)
    out = {"start": start, "end": start + len(first.quote)}
    assert page.post(url, out, headers={"HX-Request": "true"}).status_code == 204
    added = {"words": words, "is_task": "1"}
    assert page.post(url, added, headers={"HX-Request": "true"}).status_code == 204
    page.post(f"/survey/{response.pk}/finish")
    drain()
    rows = WorkTask.objects.filter(response=response).order_by("position")
    statements = [row.statement for row in rows]
    assert statements == [*(told.statement for told in others), words]
    assert (rows[len(others)].quote, rows[len(others)].message_id) == (words, said.pk)
