"""Talks with a model that is right, over HTTP, in four languages: nothing it says is lost."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from chat.models import Message, Session
from futura.llm.models import AnswerCheck
from tests.api.test_survey_api import patch, post
from tests.extent import some
from tests.scripted.faithful import GROUPS, FaithfulModel, Said

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True)
class Talk:
    """A talk of four messages: work, "both", a wish to stop, a yes to the offer."""

    language: str
    title: str
    opening: str
    work: Said
    both: Said
    stop: Said
    goes: Said


ENGLISH = Talk(
    "en",
    "Beekeeper",
    "Bees, how lovely. What fills a week of yours, small jobs and big ones?",
    Said(
        "I feed them and plan which hives go where.",
        "Feeding and placing hives, that is clear. Do you also bottle honey or keep records?",
        activities=[("feed the bees", "feed them"), ("plan which hives go where",) * 2],
        levels={"workOutput": "low", "mentalProcesses": "low"},
        engagement="high",
        area="products",
        question="Do you also bottle honey or keep records?",
        named=["bottle honey", "keep records"],
    ),
    Said(
        "Both, I suppose.",
        "Noted, e.g. for Dr. Miller at 5 p.m. What comes round once a year?",
        confirmed=["bottle honey", "keep records"],
        levels={"workOutput": "medium"},
        area="seasons",
        question="What comes round once a year?",
    ),
    Said("I'd rather leave it there.", "Of course. Shall we look at your list?", stops=True),
    Said("Sure thing.", "Thanks for all that. Your list comes next.", accepts="Sure thing"),
)
GERMAN = Talk(
    "de",
    "Pflegefachfrau",
    "Pflege ist vielseitig. Was tun Sie in einer normalen Woche, von morgens bis abends?",
    Said(
        "Ich messe Blutdruck und lege Verbände an.",
        "Blutdruck und Verbände, notiert. Schreiben Sie auch Berichte oder planen Sie Dienste?",
        activities=[
            ("Blutdruck messen", "messe Blutdruck"),
            ("Verbände anlegen", "lege Verbände an"),
        ],
        levels={"informationInput": "low", "workOutput": "low"},
        engagement="high",
        area="Dokumentation",
        question="Schreiben Sie auch Berichte oder planen Sie Dienste?",
        named=["Pflegeberichte schreiben", "Dienste planen"],
    ),
    Said(
        "Beides, ja.",
        "Gut, beides steht da. Wen lernen Sie ein?",
        confirmed=["Pflegeberichte schreiben", "Dienste planen"],
        levels={"workOutput": "low", "mentalProcesses": "low"},
        area="Einarbeitung",
        question="Wen lernen Sie ein?",
    ),
    Said("Das wär's von meiner Seite.", "Danke! Wollen wir zur Liste gehen?", stops=True),
    Said("Ja, aber gern doch.", "Vielen Dank. Gleich sehen Sie Ihre Liste.", accepts="gern doch"),
)
SPANISH = Talk(
    "es",
    "Cocinera",
    "¡Qué oficio! ¿Qué haces en una semana normal, de principio a fin?",
    Said(
        "Preparo la masa y pido los ingredientes.",
        "Masa e ingredientes, anotado. ¿También limpias los hornos o formas a aprendices?",
        activities=[
            ("preparar la masa", "Preparo la masa"),
            ("pedir los ingredientes", "pido los ingredientes"),
        ],
        levels={"workOutput": "low", "interactingWithOthers": "low"},
        engagement="high",
        area="equipo",
        question="¿También limpias los hornos o formas a aprendices?",
        named=["limpiar los hornos", "formar a aprendices"],
    ),
    Said(
        "Sí, las dos cosas.",
        "Perfecto. ¿Qué ocurre solo una vez al mes?",
        confirmed=["limpiar los hornos", "formar a aprendices"],
        levels={"workOutput": "low", "interactingWithOthers": "low"},
        area="mensual",
        question="¿Qué ocurre solo una vez al mes?",
    ),
    Said("Eso es todo por mi parte.", "¡Gracias! ¿Pasamos a tu lista?", stops=True),
    Said("Venga, vamos.", "Gracias por contarlo. Ahora verás tu lista.", accepts="Venga, vamos"),
)
JAPANESE = Talk(
    "ja",
    "看護師",
    "看護のお仕事ですね。普段の一週間は何をしていますか。",
    Said(
        "血圧を測り、包帯を巻きます。",
        "血圧と包帯ですね。記録を書いたり、勤務表を作ったりもしますか。",
        activities=[("血圧を測る", "血圧を測り"), ("包帯を巻く", "包帯を巻きます")],
        levels={"informationInput": "low", "workOutput": "low"},
        engagement="high",
        area="記録",
        question="記録を書いたり、勤務表を作ったりもしますか。",
        named=["看護記録を書く", "勤務表を作る"],
    ),
    Said(
        "はい、両方です。",
        "わかりました。月に一度の仕事は何ですか？",
        confirmed=["看護記録を書く", "勤務表を作る"],
        levels={"workOutput": "low", "mentalProcesses": "low"},
        area="月例",
        question="月に一度の仕事は何ですか？",
    ),
    Said("これで終わりにします。", "ありがとうございます。一覧に進みますか？", stops=True),
    Said("お願いします。", "ありがとうございました。次は一覧です。", accepts="お願いします"),
)


@pytest.fixture
def say(client, catalogue, worker):
    """Starts a survey, then says one message after the other; gives the API's answers."""
    sessions = []

    def send(talk, message=None):
        if message is None:
            body = {"action": "start", "jobTitle": talk.title}
        else:
            body = {"action": "message", "sessionId": sessions[0], "message": message}
        answer = post(client, body)
        assert answer.status_code == 200, answer.content
        sessions[:] = [answer.json()["sessionId"]]
        return answer.json()

    return send


@pytest.mark.parametrize("talk", some([ENGLISH, GERMAN, SPANISH, JAPANESE], 4))
def test_a_right_models_talk_is_kept_letter_by_letter(scripted, say, talk):
    turns = [talk.work, talk.both, talk.stop, talk.goes]
    FaithfulModel(scripted, turns, language=talk.language, opening=talk.opening)
    assert say(talk)["message"]["content"] == talk.opening
    answers = [say(talk, said.message) for said in turns]
    assert [answer["message"]["content"] for answer in answers] == [said.reply for said in turns]
    assert [answer["updatedState"]["estimatedTaskCount"] for answer in answers] == [2, 4, 4, 4]
    assert [answer["toolUsed"] for answer in answers] == [
        "custom_question", "custom_question", "offer_to_proceed", "proceed",
    ]  # fmt: skip
    assert [answer["updatedState"]["userEngagement"] for answer in answers[:2]] == [
        "high",
        "medium",
    ]
    coverage = answers[-1]["updatedState"]["gwaCoverage"]
    covered = {group for group, level in coverage.items() if level != "none"}
    assert covered == {group for said in turns for group in said.levels}
    named = [task for task, _ in talk.work.activities] + list(talk.both.confirmed)
    assert [extracted_task["raw"] for extracted_task in answers[-1]["extractedTasks"]] == named
    session = Session.objects.get()
    assert session.state["language"] == talk.language
    assert session.status == Session.Status.ENDED
    assert not session.runs.filter(basic_mode=True).exists()
    said = Message.objects.get(text=talk.work.message)
    spans = next(part["spans"] for part in said.parts if part["type"] == "noted")
    assert [said.text[a:b] for a, b in spans] == [quote for _, quote in talk.work.activities]
    system = scripted.of("response")[-1].messages[0]["content"]
    assert f"the language with the tag {talk.language}" in system
    assert not AnswerCheck.objects.exclude(reason=AnswerCheck.USED).exists()


STUCK = Said(
    "Mir fällt gerade nichts ein.",
    "Kein Problem. Welche dieser Karten gehören zu Ihnen?",
    engagement="low",
    tool="show_suggestions",
    cards=[
        ("Vitalzeichen überwachen", "informationInput"),
        ("Medikamente richten", "workOutput"),
        ("Pflegepläne anpassen", "mentalProcesses"),
    ],
)
OTHERWISE = Said(
    "Die zweite auch noch, und die dritte doch nicht.",
    "Ist geändert. Und wie ist es mit der Hygiene?",
    confirmed=["Medikamente richten"],
    withdrawn=["Pflegepläne anpassen"],
    area="Hygiene",
    question="Wie ist es mit der Hygiene?",
)


def test_words_take_cards_and_give_them_back_beside_taps(scripted, client, say):
    FaithfulModel(scripted, [STUCK, OTHERWISE], language="de", opening=GERMAN.opening)
    say(GERMAN)
    answer = say(GERMAN, STUCK.message)
    first, _second, third = (card["id"] for card in answer["suggestions"])
    tapped = [first, third]
    sent = {"sessionId": answer["sessionId"], "selectedSuggestionIds": tapped}
    assert patch(client, sent).status_code == 200
    answer = say(GERMAN, OTHERWISE.message)
    assert "tapped just now: " + ", ".join(tapped) in scripted.of("message_analysis")[-1].last_user
    state = Session.objects.get().state
    statements = {card["id"]: card["statement"] for card in state["cards"]}
    taken = [statements[card_id] for card_id in state["selectedSuggestionIds"]]
    assert taken == ["Vitalzeichen überwachen", "Medikamente richten"]
    assert answer["updatedState"]["estimatedTaskCount"] == 2
    assert not AnswerCheck.objects.exclude(reason=AnswerCheck.USED).exists()


def test_a_long_account_is_read_in_pieces_side_by_side_and_nothing_of_it_is_lost(scripted, say):
    tasks = [f"Rechnung {number} prüfen" for number in range(60)]
    lines = [f"Ich prüfe die Rechnung {n} jeden Montag mit der Werksleitung." for n in range(60)]
    account = Said(" ".join(lines), "Das ist viel. Und sonst?", area="sonst", question="Und sonst?")
    FaithfulModel(scripted, [account], language="de", opening=GERMAN.opening, delay_s=0.25)

    def read(request):
        piece = request.last_user.partition("<message>")[2]
        quotes = re.findall(r"prüfe die Rechnung \d+ jeden Montag", piece)
        return {
            "newActivities": [f"Rechnung {quote.split()[3]} prüfen" for quote in quotes],
            "quotes": quotes,
            "underexploredActivities": [],
            "gwaUpdates": {**dict.fromkeys(GROUPS), "informationInput": "medium"},
            "engagement": "high",
            "wantsToStop": False,
            "language": "de",
        }

    scripted.on("message_analysis").text(read, first_delay_s=0.25)
    say(GERMAN)
    scripted.waves.clear()
    answer = say(GERMAN, account.message)
    first, second = scripted.waves
    assert first.count("message_analysis") == 3
    assert second == ["response"]
    assert [task["raw"] for task in answer["extractedTasks"]] == tasks
    places = [(task["quote"]["start"], task["quote"]["end"]) for task in answer["extractedTasks"]]
    assert [account.message[start:end] for start, end in places] == [
        f"prüfe die Rechnung {number} jeden Montag" for number in range(60)
    ]
    assert answer["updatedState"]["gwaCoverage"]["informationInput"] == "high"
    assert answer["message"]["content"] == account.reply


def test_at_most_two_calls_in_sequence_come_before_the_first_word(scripted, say):
    turns = [GERMAN.work, GERMAN.both]
    FaithfulModel(scripted, turns, language="de", opening=GERMAN.opening, delay_s=0.25)
    say(GERMAN)
    for said in turns:
        scripted.waves.clear()
        say(GERMAN, said.message)
        first, second = scripted.waves
        assert sorted(first) == ["gap_analysis", "message_analysis", "tool_selection"]
        assert second == ["response"]


def test_a_wrong_model_writes_nothing(scripted, say):
    talk = ENGLISH
    FaithfulModel(scripted, [talk.work], language="en", opening=talk.opening)
    nothing = dict.fromkeys(
        ["informationInput", "mentalProcesses", "workOutput", "interactingWithOthers"]
    )
    scripted.on("message_analysis").json(
        {
            "newActivities": ["steal honey", "x" * 300, " "],
            "quotes": ["I steal honey", "feed them", "feed them"],
            "underexploredActivities": ["steal honey"],
            "gwaUpdates": {**nothing, "workOutput": "high"},
            "engagement": "high",
            "wantsToStop": False,
            "wish": "accepts_offer",
            "wishQuote": "please finish",
            "confirmedIds": ["card-1-1", "t1"],
            "withdrawnIds": ["a1"],
            "manner": "answer",
            "language": "<script>",
        }
    )
    scripted.on("tool_selection").json({"tool": "delete_all", "reason": "x", "question": None})
    say(talk)
    answer = say(talk, talk.work.message)
    assert answer["message"]["content"] == talk.work.reply
    assert answer["toolUsed"] == "custom_question"
    assert answer["extractedTasks"] == []
    assert set(answer["updatedState"]["gwaCoverage"].values()) == {"none"}
    state = Session.objects.get().state
    assert (state["language"], state["selectedSuggestionIds"]) == ("", [])
    refused = AnswerCheck.objects.filter(stage="message_analysis").exclude(reason=AnswerCheck.USED)
    assert dict(refused.values_list("reason", "items")) == {
        "quote_not_found": 2, "too_long": 1, "empty": 1, "unknown_id": 3,
    }  # fmt: skip
