"""Every page in every language: it opens, in that language, with none of its texts broken."""

from __future__ import annotations

import html
import re

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation
from django.utils.html import strip_tags
from django.utils.text import capfirst
from django.utils.translation import trans_real

from tests.doors.forms import STAFF
from tests.doors.world import OURS, knock

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("code", [code for code, _name in settings.LANGUAGES if code != "en"])
def test_every_page_opens_in_the_chosen_language(committed, code):
    world, wrong, pages = committed, [], 0
    for who in ("alice", "stan"):
        knock(world.clients[who], "post", reverse("chat:language"), {"language": code})
    for route in (item for item in OURS if set(item.parameters) <= set(world.ids)):
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


APPS = ("futura", "chat", "tasks", "onet", "projects")
LABELS = re.compile(
    r'<label[^>]*>([^<]*?)</label>|<div class="help"[^>]*>(.*?)</div>|<div class="text">(.*?)</div>'
    r'|<summary>(.*?)</summary>|<caption>(.*?)</caption>|<th scope="row"[^>]*>(.*?)</th>'
    r'|<h2 class="fieldset-heading"[^>]*>(.*?)</h2>|<td class="field-\w*status[^>]*>(.*?)</td>',
    re.DOTALL,
)


def labels_of(page: str) -> set[str]:
    """What an admin page calls things: fields, filters, columns, models, states; help beside."""
    texts = (strip_tags(next(filter(None, label), "")) for label in LABELS.findall(page))
    plain = {" ".join(html.unescape(text).split()).removesuffix(":") for text in texts}
    return {text for text in plain if re.search(r"[^\W\d_]{2}", text)}


# Django 6 changes what a form takes for an address without a scheme; here nothing is sent
@pytest.mark.filterwarnings("ignore:The default scheme")
def test_the_admin_of_every_model_speaks_german(committed):
    stan = get_user_model().objects.get(username="stan")
    stan.is_superuser = True
    stan.save()
    client = committed.clients["stan"]
    knock(client, "post", reverse("chat:language"), {"language": "de"})
    with translation.override("de"):
        spoken = {str(text) for _key, text in trans_real.catalog()._catalog.items()}  # type: ignore[attr-defined]
    german = {form for item in spoken for form in (item, capfirst(item), f"Nach {item}")}
    pages = [reverse("admin:index")]
    for model in (item for item in admin.site._registry if item.__module__.startswith(APPS)):
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        pages.append(reverse(f"{base}_changelist"))
        row = admin.site._registry[model].get_queryset(_by(stan)).first()
        pages += [reverse(f"{base}_change", args=[row.pk])] if row else []
    wrong = {}
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200, page
        text = answer.content.decode().partition('<div id="content"')[2]
        if strange := labels_of(text) - german:
            wrong[page] = strange
    assert "; ".join(f"{page} {texts}" for page, texts in wrong.items()) == ""
    assert len(pages) > 60


def _by(user: User) -> HttpRequest:
    request = HttpRequest()
    request.user = user
    return request
