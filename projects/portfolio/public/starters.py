"""Questions that a page offers: one of each kind, made by rules of what the portfolio holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext as _

from projects.portfolio.public.queries import Public

MOST: Final = 4


def starters_of(public: Public) -> list[str]:
    """Up to four questions that this portfolio can answer; the last asks how it works."""
    at_work = _first(skill for one in public.experiences for skill in one.skills)
    in_works = _first(
        named for one in public.entries for named in (*one.tech_stack, *one.languages)
    )
    asked: list[str] = []
    if at_work or in_works:
        asked.append(_("Have you used %(skill)s at work?") % {"skill": at_work or in_works})
    if in_works:
        asked.append(_("Which projects did you do with %(skill)s?") % {"skill": in_works})
    elif public.entries:
        asked.append(_("Which projects have you done?"))
    if public.experiences:
        company = public.experiences[0].company
        asked.append(_("Tell me about your time at %(company)s.") % {"company": company})
    elif public.entries and public.entries[0].title:
        asked.append(_("Tell me about %(work)s.") % {"work": public.entries[0].title})
    return [*asked[: MOST - 1], _("How does this work?")]


def _first(names: Iterable[str]) -> str:
    """The name that comes most often, the first of those that come as often; empty for none."""
    counted = Counter(one.strip() for one in names if one.strip())
    return counted.most_common(1)[0][0] if counted else ""
