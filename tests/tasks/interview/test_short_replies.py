"""In every language of the interface, a survey without a model understands short replies."""

from __future__ import annotations

import pytest

from tests.tasks.interview.talking import midway

pytestmark = pytest.mark.django_db

TWINS = {
    "no": ("Nein.", "No", "Non !"),
    "no, thanks": ("Nein, danke", "No, gracias", "Non, merci"),
    "yes": ("Ja", "Sí", "Oui."),
    "that's all": ("Das war alles.", "¡Eso es todo!", "C’est tout."),
    "no, that's all": ("Nein, das war alles", "No, eso es todo.", "Non, c’est tout"),
    "I don't know": ("Weiß ich nicht", "No lo sé", "Je ne sais pas"),
    "done": ("Fertig", "Listo", "Terminé"),
}


def played(text, language):
    talk = midway(tasks=8, turns=5, language=language)
    talk.say(text)
    return talk.tool, len(talk.state.mentioned_activities), talk.has_ended


@pytest.mark.parametrize("english", TWINS)
def test_a_short_reply_does_what_its_english_twin_does(english):
    expected = played(english, "en")
    done = {text: played(text, language)
            for text, language in zip(TWINS[english], ("de", "es", "fr"), strict=True)}  # fmt: skip
    assert done == dict.fromkeys(done, expected)


@pytest.mark.parametrize("text", ["weiss nicht", "Weiß nicht.", "weiss ich nicht", "Keine Angabe"])
def test_a_reply_is_understood_as_people_type_it(text):
    assert played(text, "de") == played("I don't know", "en")


@pytest.mark.parametrize(
    ("text", "language"),
    [("Nein zu sagen lernen", "de"), ("Todo el inventario", "es"), ("Oui-dire vérifier", "fr")],
)
def test_what_says_more_is_work(text, language):
    assert played(text, language)[1] == 9


NAMED = ["plan schedules", "order supplies", "train new colleagues"]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("all of those", "en", NAMED),
        ("Yes.", "en", NAMED),
        ("Definitely", "en", NAMED),
        ("I do those", "en", NAMED),
        ("all of the above", "en", NAMED),
        ("the first and the third", "en", [NAMED[0], NAMED[2]]),
        ("der letzte", "de", [NAMED[2]]),
        ("alle davon", "de", NAMED),
        ("todos ellos", "es", NAMED),
        ("Oui, tous", "fr", NAMED),
        ("no", "en", []),
        ("yes, but only the schedules", "en", ["the schedules"]),
        ("not now", "en", []),
    ],
)
def test_a_reply_takes_what_the_question_named(text, language, expected):
    talk = midway(tasks=2, turns=2, pending_suggestions=list(NAMED), language=language)
    talk.say(text)
    assert [activity.text for activity in talk.state.mentioned_activities[2:]] == expected


@pytest.mark.parametrize(
    "text",
    [
        *("done", "finished", "that's all", "that's it", "nothing else", "no more"),
        *("that covers it", "I think that's everything", "that’s everything", "nothing more"),
        *("I'm good", "im good", "all done"),
    ],
)
def test_the_stop_phrases_end_the_talk_as_clauses_of_their_own(text):
    talk = midway(tasks=4, turns=2, clarified=False)
    talk.say(text)
    assert talk.has_ended
    other = midway(tasks=4, turns=2)
    other.say(f"When the report is {text} I file it")
    assert not other.has_ended


@pytest.mark.parametrize(
    ("text", "language"),
    [("I bake bread. That's all!", "en"), ("Ich backe Brot. Das war alles.", "de"),
     ("Horneo pan. Eso es todo.", "es"), ("Je cuis du pain. C’est tout.", "fr")],
)  # fmt: skip
def test_a_last_sentence_ends_the_talk_and_is_no_work(text, language):
    talk = midway(tasks=8, turns=5, language=language)
    talk.say(text)
    assert len(talk.state.mentioned_activities) == 9
    assert talk.has_ended


def test_an_end_that_more_follows_is_in_doubt():
    talk = midway(tasks=8, turns=5)
    talk.say("That's all. I also bake bread.")
    assert talk.tool == "offer_to_proceed"
    assert not talk.has_ended


@pytest.mark.parametrize("text", ["no", "Not yet.", "later"])
def test_an_offer_that_is_declined_does_not_end_the_talk(text):
    talk = midway(tasks=8, turns=5)
    talk.say("That's all. I also bake bread.")
    assert talk.tool == "offer_to_proceed"
    talk.say(text)
    assert not talk.has_ended
