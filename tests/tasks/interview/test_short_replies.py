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


@pytest.mark.parametrize(
    ("text", "language"),
    [("Nein zu sagen lernen", "de"), ("Todo el inventario", "es"), ("Oui-dire vérifier", "fr")],
)
def test_what_says_more_is_work(text, language):
    assert played(text, language)[1] == 9
