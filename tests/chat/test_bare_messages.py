"""A message with nothing but its text looks the same however it is drawn."""

from __future__ import annotations

import uuid
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.html import format_html

from chat import fragments

TEXTS = ["Good morning", "A <b>\"bold\"</b> & 'odd' one", "{id} {text} {html} \\1 918273645"]


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(("state", "is_person"), [("complete", True), ("streaming", False)])
def test_a_bare_message_is_what_its_template_draws(language, text, state, is_person):
    view = SimpleNamespace(
        id=uuid.uuid4(),
        is_person=is_person,
        is_bare=True,
        order=1_234_567,
        state=state,
        text=text,
        html=format_html("<p>{}</p>", text),
        stage="Reading <files>",
        parts=[],
        form="",
        run=SimpleNamespace(pk=uuid.uuid4()),
        rated={},
    )
    with translation.override(language):
        drawn = render_to_string("chat/_message.html", {"m": view, "oob": True})
        assert fragments._message_html(view) == drawn
