"""Markdown of projects, and what a change was in words."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.timesince import timesince
from django.utils.translation import gettext

from chat.operations.labels import headline, icon, is_shown, label
from chat.operations.models import Operation
from chat.operations.registry import operable
from chat.presenters import to_html
from projects import from_survey
from projects.dimensions import completeness, covered

register = template.Library()

register.filter("markdown", to_html)  # untrusted Markdown as HTML that may stand on a page
register.filter("standings", completeness)
register.filter("covered_count", covered)
register.filter("change_icon", icon)
register.filter("percent", from_survey.percent)
register.filter("iso_day", parse_date)


@register.filter
def change_words(operation: Operation) -> str:
    """“To-do updated: Due, Priority”, from the operation alone."""
    words = headline(operation)
    if operation.type != Operation.Type.UPDATE:
        return words
    entity_type = operable(operation.entity)
    fields = [
        label(entity_type, name) for name in operation.changed_fields if is_shown(entity_type, name)
    ]
    return f"{words}: {', '.join(fields)}" if fields else words


@register.filter
def change_title(operation: Operation, titles: Mapping[uuid.UUID, str]) -> str:
    """What the row is called, else what it was; empty when its values were erased."""
    payload = operation.payload
    was = operable(operation.entity).title(payload.after or payload.before or {})
    return titles.get(operation.entity_id, "") or was


@register.filter
def ago(when: datetime) -> str:
    """How long it is since, in the largest unit; just now within a minute."""
    past = timezone.now() - when
    if past < timedelta(minutes=1):
        return gettext("just now")
    return gettext("%(time)s ago") % {"time": timesince(when, depth=1)}
