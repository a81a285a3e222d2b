"""The words with which a portfolio receives a visitor."""

from __future__ import annotations

from django.utils.translation import gettext as _

from projects.portfolio.visitors.speaking import Speaker


def greeting_of(speaker: Speaker) -> str:
    """A greeting in the first person."""
    told = _("Hello, I am %(name)s. Ask me about my projects, my experience or what I work with.")
    if speaker.is_group:
        told = _("Hello, this is %(name)s. Ask us about our projects, our experience or our tools.")
    return told % {"name": speaker.name}
