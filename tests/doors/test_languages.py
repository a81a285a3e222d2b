"""Every page in every language: it opens, in that language, with none of its texts broken."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation

from tests.doors.forms import STAFF
from tests.doors.world import OURS, knock


@pytest.fixture(autouse=True)
def _english():
    yield
    translation.activate(settings.LANGUAGE_CODE)


@pytest.mark.parametrize("code", [code for code, _name in settings.LANGUAGES if code != "en"])
def test_every_page_opens_in_the_chosen_language(committed, code):
    world, wrong, pages = committed, [], 0
    for who in ("alice", "stan"):
        knock(world.clients[who], "post", reverse("chat:language"), {"language": code})
    for route in (one for one in OURS if set(one.parameters) <= set(world.ids)):
        client = world.clients["stan" if route.name in STAFF else "alice"]
        answer = knock(client, "get", route.url(world.ids))
        text = "" if answer.streaming else answer.content.decode(errors="replace")
        if answer.status_code >= 500 and route.name != "readyz":
            wrong.append((route.name, answer.status_code))
        elif answer.status_code == 200 and text.startswith("<!doctype"):
            pages += 1
            # a campaign has a language of its own
            spoken = f"{code}|en" if route.name.startswith(("campaigns:", "s:")) else code
            if not re.search(rf'<html lang="({spoken})"', text) or re.search(r"%\(\w+\)s", text):
                wrong.append((route.name, text[:60]))
    assert "; ".join(f"{name} {what}" for name, what in wrong) == ""
    assert pages > 40
