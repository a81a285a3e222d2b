"""The icons of the look, in every template without loading anything."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    """An icon of the sprite that every page carries; silent to readers of the screen."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="#i-{}"/></svg>', name)
