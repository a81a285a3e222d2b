"""Languages of people: the browser's at first, then the chosen one, for pages, sockets, workers."""

from __future__ import annotations

import datetime
import re

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format

from chat import languages, zones
from chat.identity import identity_of
from chat.models import Participant

pytestmark = pytest.mark.django_db
GERMAN = {"accept-language": "de-AT,de;q=0.9,en;q=0.5"}


def choose(client, code, **more):
    return client.post(reverse("chat:language"), {"language": code, **more})


def test_pages_speak_the_language_of_the_browser(client):
    answer = client.get("/", headers=GERMAN)
    assert answer.headers["Content-Language"] == "de"
    assert '<html lang="de"' in answer.content.decode()
    assert client.get("/", headers={"accept-language": "ja"}).headers["Content-Language"] == "en"


def test_a_chosen_language_holds_on_this_device_and_goes_back_to_the_page(client):
    answer = choose(client, "fr", next="/survey")
    assert (answer.status_code, answer.url) == (302, "/survey")
    assert client.get("/survey", headers=GERMAN).headers["Content-Language"] == "fr"


def test_a_language_that_the_interface_lacks_is_refused(client):
    assert choose(client, "tlh").status_code == 400
    assert languages.told_by({settings.LANGUAGE_COOKIE_NAME: "tlh"}) == ""


def test_a_chosen_language_holds_on_new_devices_and_for_workers(alice, browser, participant_of):
    own = participant_of(alice)
    choose(browser(alice), "es")
    assert zones.place_of(own.pk)[1] == "es"
    assert browser(alice).get("/projects", headers=GERMAN).headers["Content-Language"] == "es"


def test_who_is_new_is_spoken_to_in_the_language_of_their_browser(client):
    client.post(reverse("todos:add"), {"text": "Rosen gießen"}, headers=GERMAN)
    assert Participant.objects.get().language == "de"


def test_a_socket_speaks_what_its_page_speaks():
    headers = {b"accept-language": b"pt-BR,fr;q=0.8"}
    assert languages.of_socket("", "", headers) == "fr"
    assert languages.of_socket("", "de", headers) == "de"
    assert languages.of_socket("es", "de", headers) == "es"
    assert languages.of_socket("", "", {}) == "en"


@pytest.mark.parametrize(
    ("code", "long", "short"),
    [
        ("en", "Friday 18 December 2026", "18 Dec"),
        ("de", "Freitag, 18. Dezember 2026", "18. Dez"),
        ("es", "viernes, 18 de diciembre de 2026", "18 dic"),
        ("fr", "vendredi 18 décembre 2026", "18 déc"),
    ],
)
def test_dates_are_written_as_the_language_does(code, long, short):
    day = datetime.date(2026, 12, 18)
    with translation.override(code):
        assert date_format(day, "l j F Y").lower() == long.lower()
        assert date_format(day, "j M").lower().startswith(short.lower())


def test_who_has_no_account_is_known_by_language_and_zone_without_a_choice(client):
    client.post(reverse("todos:add"), {"text": "Rosen gießen"}, headers=GERMAN)
    Participant.objects.update(time_zone="Asia/Tokyo")
    answer = client.get("/todos", headers={"accept-language": "fr"})
    assert answer.headers["Content-Language"] == "de"
    assert identity_of(answer.wsgi_request).zone == "Asia/Tokyo"


@pytest.mark.parametrize("path", ["/", "/concierge"])
def test_the_language_can_be_chosen_where_a_conversation_fills_the_page(alice, browser, path):
    page = browser(alice)
    page.post(reverse("todos:add"), {"text": "Water the roses"})
    html = page.get(path).content.decode()
    assert 'class="actions languages"' in html.split("colophon")[0]


def test_the_language_can_be_chosen_in_the_menu_of_a_survey(client):
    form = {"title": "Imker", "occupation": "none", "initial_tasks": "Ich füttere Bienen"}
    talk = client.post("/survey", form).url
    menu = client.get(talk).content.decode().split('id="session-menu"')[1].split("</header>")[0]
    assert 'name="language" value="fr"' in menu
    assert f'name="next" value="{talk}"' in menu


def test_labels_of_the_account_keep_the_capitals_of_their_language(client, alice, browser):
    assert "E-Mail" in _label(client.get("/accounts/password/reset/", headers=GERMAN))
    alice.set_password("one of these days")
    alice.save()
    page = browser(alice)
    german = _label(page.get("/accounts/password/change/", headers=GERMAN))
    english = _label(page.get("/accounts/password/change/"))
    assert "Neues Passwort" in german
    assert "New password" in english


def _label(page):
    return "".join(re.findall(r"<label.*?</label>", page.content.decode(), re.DOTALL))
