"""Languages of people: their browser's until they choose one, kept for workers and new devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TypeVar

from django.conf import settings
from django.http import HttpResponseBase
from django.utils import translation
from django.utils.translation import get_language_info, trans_real

Answer = TypeVar("Answer", bound=HttpResponseBase)


def known(code: str) -> str:
    """The code when the interface has that language, else empty."""
    return code if code in dict(settings.LANGUAGES) else ""


def named(name: str) -> str:
    """The code of a language by its English name, as models tell it, by its own or by the code
    itself; empty where the interface does not have it.
    """
    codes = (code for code, _own_name in settings.LANGUAGES)
    infos = ((code, get_language_info(code)) for code in codes)
    names = (
        (code, {code, info["name"].lower(), info["name_local"].lower()}) for code, info in infos
    )
    return next((code for code, own in names if name.strip().lower() in own), "")


def told_by(cookies: Mapping[str, str]) -> str:
    """The language that somebody chose on this device; empty when nobody did."""
    return known(cookies.get(settings.LANGUAGE_COOKIE_NAME, ""))


def current() -> str:
    return known(translation.get_language() or "") or settings.LANGUAGE_CODE


def answered_in(own: str, answer: Callable[[], Answer]) -> Answer:
    """An answer in the language of a campaign or portfolio; in the reader's where it has none."""
    code = known(own)
    with translation.override(code) if code else nullcontext():
        response = answer()
        response.headers.setdefault("Content-Language", current())
        return response


def of_socket(preferred: str, kept: str, headers: Mapping[bytes, bytes]) -> str:
    """What a socket speaks: chosen or the conversation's, else kept of the person, else the
    browser's.
    """
    if language := known(preferred) or known(kept):
        return language
    accepted = headers.get(b"accept-language", b"").decode("latin-1")
    for code, _weight in trans_real.parse_accept_lang_header(accepted):
        if language := known(code.partition("-")[0]):
            return language
    return settings.LANGUAGE_CODE


def remember(response: HttpResponseBase, code: str) -> None:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
