"""The bare pages about errors: in the reader's language, with the look that was chosen."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import path

TOO_MANY_FIELDS = 1_001
FAULT = "a fault of ours"


def fails(_request: HttpRequest) -> HttpResponse:
    raise RuntimeError(FAULT)


def reads(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(len(request.POST)))


urlpatterns = [path("fails", fails), path("reads", reads)]
handler400 = "futura.views.bad_request"
handler500 = "futura.views.server_error"


@pytest.mark.parametrize(
    ("address", "status", "language", "text"),
    [
        ("/fails", 500, "en", "Something went wrong on our side."),
        ("/fails", 500, "de", "Bei uns ist etwas schiefgegangen."),
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
