"""The bare pages about errors: in the reader's language, with the look that was chosen."""

import uuid
from urllib.parse import quote

import pytest
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

TOO_MANY_FIELDS = 1_001
FAULT = "a fault of ours"


def fails(_request: HttpRequest) -> HttpResponse:
    raise RuntimeError(FAULT)


def writes(_request: HttpRequest) -> HttpResponse:
    raise OperationalError("could not extend file: No space left on device")


def reads(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(len(request.POST)))


urlpatterns = [
    path("fails", fails),
    path("api/fails", fails),
    path("reads", reads),
    path("writes", writes),
]
handler400 = "futura.views.bad_request"
handler500 = "futura.views.server_error"


@pytest.mark.parametrize(
    ("address", "status", "language", "text"),
    [
        ("/fails", 500, "en", "Something went wrong on our side."),
        ("/fails", 500, "de", "Bei uns ist etwas schiefgegangen."),
        ("/writes", 503, "de", "Futura ist gerade nicht verfügbar."),
        ("/reads", 400, "de", "Diese Anfrage ist ungültig."),
        ("/reads", 400, "fr", "Cette requête n’est pas valide."),
    ],
)
def test_a_page_about_an_error_speaks_the_language_and_keeps_the_look(
    client, settings, address, status, language, text
):
    settings.ROOT_URLCONF = __name__
    client.raise_request_exception = False
    fields = {f"field-{number}": "" for number in range(TOO_MANY_FIELDS if status == 400 else 0)}
    answer = client.post(address, fields, headers={"Accept-Language": language})
    assert answer.status_code == status
    page = answer.content.decode()
    assert f'<html lang="{language}">' in page
    assert f"<h1>{text}</h1>" in page
    assert 'src="/static/js/theme.js"' in page


def test_a_fault_of_ours_is_told_to_programs_in_the_shape_of_every_refusal(client, settings):
    settings.ROOT_URLCONF = __name__
    client.raise_request_exception = False
    answer = client.get("/api/fails", headers={"Accept-Language": "de"})
    assert answer.status_code == 500
    assert answer.json() == {
        "error": {"code": "error", "message": "Bei uns ist etwas schiefgegangen.", "retry": False}
    }


def test_after_a_form_a_fault_of_ours_leads_back_to_it_and_promises_nothing(client, settings):
    settings.ROOT_URLCONF = __name__
    client.raise_request_exception = False
    back = "Go back: what you wrote is still in the form."
    assert back in client.post("/fails", {"text": "much to say"}).content.decode()
    page = client.get("/fails").content.decode()
    assert back not in page
    assert "Nothing is lost" not in page


@pytest.mark.django_db
def test_what_was_typed_outlives_a_session_that_has_ended(client):
    fields = {
        "description": "Paint the\nlong fence <b>",
        "title": "Fence",
        "password": "open my door",
        "csrfmiddlewaretoken": "no such text",
        "next": "/not this one",
    }
    form = "http://testserver/projects/1/edit?part=a&of=b"
    refused = client.post("/nothing/here", fields, headers={"Referer": form})
    page = refused.content.decode()
    assert refused.status_code == 404
    assert page.count("readonly") == 1
    assert "\nPaint the\nlong fence &lt;b&gt;</textarea>" in page
    assert "open my door" not in page
    # signing in leads to the form again
    assert f"?next={quote(form, safe='')}" in page
    assert "?next=%2Fnothing%2Fhere%3Fa%3D1" in client.get("/nothing/here?a=1").content.decode()


@pytest.mark.django_db
def test_what_was_typed_outlives_a_page_that_was_open_too_long():
    browser = Client(enforce_csrf_checks=True)
    page = browser.post("/projects/new", {"description": "Paint the fence"})
    assert page.status_code == 403
    assert "Paint the fence</textarea>" in page.content.decode()


@pytest.mark.django_db
def test_a_part_of_a_page_offers_somebody_signed_out_to_sign_in(client, django_user_model):
    gone = f"/todos/{uuid.uuid4()}"
    page = {"HX-Request": "true", "Referer": "http://testserver/todos?tab=all"}
    offer = f'?next={quote(page["Referer"], safe="")}">Sign in</a>'
    assert offer in client.get(gone, headers=page).content.decode()
    client.force_login(django_user_model.objects.create_user("ann"))
    assert "Sign in" not in client.get(gone, headers=page).content.decode()
