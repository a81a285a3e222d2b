"""Forecasts in the pages of projects: `{% forecasts_of project %}`."""

from __future__ import annotations

from typing import Any

from django import template

from projects.forecasting import queries
from projects.forecasting.commands import line_of
from projects.models import Project

register = template.Library()


@register.inclusion_tag("projects/forecasts.html")
def forecasts_of(project: Project) -> dict[str, Any]:
    """A project's forecasts, newest first: one query. Nothing where there are none."""
    return {"lines": [line_of(one) for one in queries.forecasts_of(project)], "project": project}
