"""Gives the controls of Django's and allauth's forms the classes of the look."""

from __future__ import annotations

import uuid

from django import template
from django.forms import BoundField
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

CLASSES = {"checkbox": "tick", "radioselect": "tick"}
MACHINERY = frozenset({"csrfmiddlewaretoken", "client_id", "next", "pasted"})


@register.filter
def look(field: BoundField) -> SafeString:
    """The control with its class; wrong ones say so to screen readers."""
    attrs: dict[str, str | bool] = {"class": CLASSES.get(field.widget_type, "input")}
    if field.errors:
        attrs |= {"aria-invalid": "true", "aria-describedby": f"{field.auto_id}-error"}
    # what the label already says is no placeholder
    field.field.widget.attrs.pop("placeholder", None)
    return field.as_widget(attrs=attrs)


@register.filter
def may_stay_empty(field: BoundField) -> bool:
    """Whether the label says “optional”: not beside a list that has no empty choice."""
    keys = [str(key) for key, _word in getattr(field.field, "choices", ())]
    is_filled = field.widget_type == "select" and bool(keys) and all(keys)
    return not field.field.required and not is_filled


@register.simple_tag
def client_id() -> SafeString:
    """Names a form that makes something: sent twice, it makes that once (see `run_for`)."""
    return format_html('<input type="hidden" name="client_id" value="{}">', uuid.uuid4())


@register.filter
def typed(request: HttpRequest) -> list[str]:
    """The texts of a form that was refused with a page in its place: what has several words.

    A single word is typed again sooner than found, and may be an id; a password is never shown.
    """
    return [
        text
        for name, values in request.POST.lists()
        if name not in MACHINERY and "password" not in name
        for text in values
        if len(text.split()) > 1
    ]


@register.filter
def page_left(request: HttpRequest) -> str:
    """Where a person was who may have been signed out: the page of a form, not where it is sent."""
    if request.method == "GET" and not getattr(request, "htmx", False):
        return request.get_full_path()
    return request.headers.get("Referer", "/")
