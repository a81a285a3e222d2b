"""Five suggestions to begin with: personal, actionable, from the briefing; by rules or a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.assistant.delimiter import Delimiter
from futura.errors import ModelUnavailable
from futura.llm.client import ChatMessage, Llm
from futura.text import shortened
from projects.completeness import covered
from projects.concierge import prompts, telling
from projects.concierge.briefing import Briefing
from projects.models import Task

STAGE: Final = "concierge_greeting"
COUNT: Final = 5
TITLE_CHARS: Final = 60
_QUOTED: Final = re.compile(r"[“\"‘']([^“”\"‘’']{3,})[”\"’']")
_NUMBERED: Final = re.compile(r"^\s*(?:\d+[.):]|[-*•])\s+")


@dataclass(frozen=True)
class Suggestion:
    """One thing to do now: said to the concierge when it is chosen, or a page to go to."""

    text: str
    say: str = ""
    href: str = ""


@dataclass(frozen=True)
class Greeting:
    """The words before the suggestions, and five of them."""

    intro: str
    suggestions: Sequence[Suggestion]


def greet(briefing: Briefing) -> Greeting:
    """The greeting by rules."""
    intro = _("Five things I could do with you now:")
    if briefing.is_newcomer:
        intro = _("Welcome. Five ways to begin:")
    return Greeting(intro, suggest(briefing))


def suggest(briefing: Briefing) -> list[Suggestion]:
    """Exactly five, most pressing first, no two about the same thing."""
    candidates = _first_steps() if briefing.is_newcomer else _personal(briefing)
    chosen: dict[str, Suggestion] = {}
    for one in (*candidates, *_always()):
        chosen.setdefault(one.say or one.href, one)
    return list(chosen.values())[:COUNT]


def suggest_with_model(briefing: Briefing, llm: Llm, delimiter: Delimiter) -> Greeting:
    """The same from the model, checked against the briefing. Raises ModelUnavailable.

    What a button says is what stands on it; a suggestion about things that are not in the
    briefing gives way to one of the rules.
    """
    messages: list[ChatMessage] = [
        {
            "role": "system",
            "content": prompts.greeting(delimiter, is_newcomer=briefing.is_newcomer)
            + "\n\n"
            + briefing.as_text(delimiter),
        },
        {"role": "user", "content": _("Suggest five ways you can help me today.")},
    ]
    told = llm.structured(
        STAGE, messages, prompts.GreetingOut, prompt_version=prompts.GREETING_VERSION
    )
    own = [one for one in (_checked(given, briefing) for given in told.suggestions) if one]
    if not own:
        raise ModelUnavailable(_("The model had nothing to suggest."), reason="bad_answer")
    chosen = {one.text.casefold(): one for one in own}
    for one in suggest(briefing):
        chosen.setdefault(one.text.casefold(), one)
    intro = shortened(told.intro, 200)
    plain = greet(briefing).intro
    return Greeting(intro if _is_calm(intro) else plain, list(chosen.values())[:COUNT])


def _is_calm(intro: str) -> bool:
    return bool(intro) and "http" not in intro.lower() and not re.search(r"\d+[.)]\s", intro)


def _checked(given: prompts.SuggestionOut, briefing: Briefing) -> Suggestion | None:
    text = shortened(_NUMBERED.sub("", given.text), prompts.SUGGESTION_CHARS)
    known = " ".join(_titles(briefing)).casefold()
    quoted = _QUOTED.findall(text)
    if not text or "http" in text.lower() or any(one.casefold() not in known for one in quoted):
        return None if not briefing.is_newcomer or not text else Suggestion(text, say=text)
    if given.target is None:
        return Suggestion(text, say=text)
    href = _page(given.target, briefing)
    return Suggestion(text, href=href) if href else None


def _titles(briefing: Briefing) -> Iterator[str]:
    yield from (one.title for one in (*briefing.tasks, *briefing.recent))
    yield from (one.name for one in briefing.projects)
    yield from (one.name for one in briefing.drafts)
    yield from (one.title for one in briefing.surveys)
    yield from (one.title for one in briefing.reviews)


def _page(target: prompts.Target, briefing: Briefing) -> str:
    if target == "review" and briefing.reviews:
        return reverse("home_waiting")
    if target == "draft" and briefing.drafts:
        return reverse("projects:draft", args=[briefing.drafts[0].pk])
    if target == "survey" and briefing.surveys:
        return reverse("survey:chat", args=[briefing.surveys[0].id])
    if target == "new_project":
        return reverse("projects:agent_new")
    return reverse("survey:start") if target == "new_survey" else ""


# By rules -------------------------------------------------------------------------------------
def _personal(briefing: Briefing) -> Iterator[Suggestion]:
    """Suggestions from what there is, most pressing kind first."""
    yield from _late(briefing)
    yield from _waiting(briefing)
    yield from _critical(briefing)
    yield from _unsorted(briefing)
    yield from _stuck(briefing)
    yield from _half_done(briefing)
    yield from _day(briefing)
    yield from _of_projects(briefing)


def _late(briefing: Briefing) -> Iterator[Suggestion]:
    late = briefing.overdue
    if len(late) == 1 and late[0].due_date:
        said = _("Move “%(title)s” to today") % {"title": _title(late[0])}
        was = telling.day(late[0].due_date, briefing.today)
        yield Suggestion(_("%(said)s, it was due %(day)s") % {"said": said, "day": was}, say=said)
    elif late:
        words = _("Go through the %(n)d things that are overdue, beginning with “%(title)s”")
        text = words % {"n": briefing.overdue_count, "title": _title(late[0])}
        yield Suggestion(text, say=_("Show my overdue tasks"))


def _waiting(briefing: Briefing) -> Iterator[Suggestion]:
    if briefing.reviews:
        n = briefing.review_count
        words = ngettext("Look at the change that waits for review",
                         "Look at the %(n)d changes that wait for review", n)  # fmt: skip
        url = reverse("home_waiting")
        if len(briefing.reviews) == 1:
            url = reverse("operations:batch", args=[briefing.reviews[0].id])
        yield Suggestion(words % {"n": n}, href=url)


def _critical(briefing: Briefing) -> Iterator[Suggestion]:
    for one in briefing.of_priority("critical")[:1]:
        said = _("Mark “%(title)s” complete") % {"title": _title(one)}
        yield Suggestion(_("%(said)s if it is done") % {"said": said}, say=said)


def _unsorted(briefing: Briefing) -> Iterator[Suggestion]:
    n = briefing.counts.get("inbox", 0)
    if n:
        words = ngettext("Sort the one thing in your inbox",
                         "Sort the %(n)d things in your inbox", n)  # fmt: skip
        yield Suggestion(words % {"n": n}, say=_("Show my inbox"))


def _stuck(briefing: Briefing) -> Iterator[Suggestion]:
    for one in briefing.of_status("blocked")[:1]:
        words = _("See what is stuck, such as “%(title)s”")
        yield Suggestion(words % {"title": _title(one)}, say=_("Show my blocked tasks"))


def _half_done(briefing: Briefing) -> Iterator[Suggestion]:
    for draft in briefing.drafts[:1]:
        words = _("Finish the draft “%(name)s”, %(n)d of nine parts are there")
        name = shortened(draft.name, TITLE_CHARS) or _("without a name")
        url = reverse("projects:draft", args=[draft.pk])
        yield Suggestion(words % {"name": name, "n": covered(draft)}, href=url)
    for survey in [one for one in briefing.surveys if one.is_talking][:1]:
        words = _("Go on with the survey “%(title)s”")
        url = reverse("survey:chat", args=[survey.id])
        yield Suggestion(words % {"title": shortened(survey.title, TITLE_CHARS)}, href=url)


def _day(briefing: Briefing) -> Iterator[Suggestion]:
    first = briefing.focus[:2]
    if first:
        names = _(" and ").join(f"“{_title(one)}”" for one in first)
        text = _("Plan the day around %(names)s") % {"names": names}
        yield Suggestion(text, say=_("What should I focus on today?"))
    n = len(briefing.soon)
    if n:
        words = ngettext("See the one thing due this week", "See the %(n)d things due this week", n)
        yield Suggestion(words % {"n": n}, say=_("What is due this week?"))


def _of_projects(briefing: Briefing) -> Iterator[Suggestion]:
    for one in briefing.projects[:2]:
        name = shortened(one.name, TITLE_CHARS)
        if not getattr(one, "open_count", 0):
            said = _("Update the project “%(name)s”") % {"name": name}
            yield Suggestion(_("%(said)s: it has no open tasks") % {"said": said}, say=said)
        elif one.end_date:
            said = _("Forecast “%(name)s”") % {"name": name}
            words = _("%(said)s: will it be done by %(day)s?")
            day = telling.day(one.end_date, briefing.today)
            yield Suggestion(words % {"said": said, "day": day}, say=said)
        else:
            said = _("Audit “%(name)s”") % {"name": name}
            yield Suggestion(_("%(said)s: what is missing in the plan?") % {"said": said}, say=said)
    recent = [one for one in briefing.recent if one.status in {"available", "scheduled"}]
    for task in recent[:1]:
        said = _("Mark “%(title)s” complete") % {"title": _title(task)}
        yield Suggestion(_("%(said)s if it is done") % {"said": said}, say=said)


def _first_steps() -> Iterator[Suggestion]:
    said = _("Create a task to plan my week")
    yield Suggestion(_("Put a first thing on your list: “Plan my week”"), say=said)
    yield Suggestion(
        _("Talk a project into shape: I ask, you answer"), href=reverse("projects:agent_new")
    )
    yield Suggestion(
        _("Say what you do at work and get it in writing"), href=reverse("survey:start")
    )
    said = _("Create a task to pay the rent on Friday, high priority")
    yield Suggestion(_("Try days in plain words: “pay the rent on Friday”"), say=said)
    yield Suggestion(_("Hear what I can do for you"), say=_("What can you do?"))


def _always() -> Iterator[Suggestion]:
    """What is never wrong, for days with little on them."""
    yield Suggestion(_("See everything that is open"), say=_("List all my tasks"))
    yield Suggestion(_("Talk a new project into shape"), href=reverse("projects:agent_new"))
    yield Suggestion(_("Look back at what is done"), say=_("Show my completed tasks"))
    yield Suggestion(
        _("Say what you do at work and get it in writing"), href=reverse("survey:start")
    )
    yield Suggestion(_("Hear what I can do for you"), say=_("What can you do?"))


def _title(task: Task) -> str:
    return shortened(task.title, TITLE_CHARS)
