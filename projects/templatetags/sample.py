"""The line of a home page about the sample workspace."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import RequestContext

from chat.identity import identity_of
from projects.sample.models import SampleWorkspace

register = template.Library()


@register.inclusion_tag("projects/sample/_line.html", takes_context=True)
def sample_line(context: RequestContext, *, is_offered: bool) -> dict[str, Any]:
    """Says that there is a sample, with Delete; else offers one where `is_offered`. One query."""
    owners = identity_of(context["request"]).participant_ids
    has_sample = bool(owners) and SampleWorkspace.objects.filter(pk__in=owners).exists()
    return {
        "has_sample": has_sample,
        "is_offered": is_offered,
        "csrf_token": context.get("csrf_token"),
    }
