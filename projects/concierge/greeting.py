"""Five suggestions to begin with: personal, actionable, from the snapshot; by rules or a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from django.urls import reverse
from django.utils.translation import get_language, get_language_info, gettext as _, ngettext
from pydantic import BaseModel, Field

from chat.assistant.delimiter import Delimiter
from futura.llm.client import Llm
from futura.text import quoted, shortened
from projects.concierge.snapshot import Snapshot
from projects.dimensions import covered
from projects.models import Task
from projects.outcomes import day

STAGE: Final = "concierge_greeting"
COUNT: Final = 5
TITLE_CHARS: Final = 60
SUGGESTION_CHARS: Final = 160


class SuggestionOut(BaseModel):
    """One thing to do now, as the person would say it to you."""

    text: str = Field(description=f"At most {SUGGESTION_CHARS} characters.")


class GreetingOut(BaseModel):
    """One warm, short sentence, and five suggestions."""

    VERSION: ClassVar[str] = "concierge-greeting-3"

    intro: str
    suggestions: list[SuggestionOut]


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


def greet(snapshot: Snapshot) -> Greeting:
    """The greeting by rules."""
    intro = _("Five suggestions:")
    if snapshot.is_newcomer:
        intro = _("Welcome. Five ways to start:")
    return Greeting(intro, suggest(snapshot))


def suggest(snapshot: Snapshot) -> list[Suggestion]:
    """Exactly five, most pressing first, no two about the same thing."""
    candidates = _first_steps() if snapshot.is_newcomer else _personal(snapshot)
    chosen: dict[str, Suggestion] = {}
    for suggestion in (*candidates, *_always()):
        chosen.setdefault(suggestion.say or suggestion.href, suggestion)
    return list(chosen.values())[:COUNT]


def suggest_with_model(snapshot: Snapshot, llm: Llm, delimiter: Delimiter) -> Greeting:
    """The same from the model, made up to five by the rules. Raises ModelUnavailable.

    What a button says is what stands on it.
    """
    about = _instructions(is_newcomer=snapshot.is_newcomer)
    briefing = [("briefing", snapshot.as_text())]
    answer = llm.structured(STAGE, delimiter.prompt(about, briefing), GreetingOut)
    chosen = {text: Suggestion(text, say=text) for item in answer.suggestions
              if 0 < len(text := item.text.strip()) <= SUGGESTION_CHARS}  # fmt: skip
    for item in suggest(snapshot):
        chosen.setdefault(item.text, item)
    return Greeting(answer.intro.strip() or greet(snapshot).intro, list(chosen.values())[:COUNT])


def _instructions(*, is_newcomer: bool) -> str:
    """How to open the day."""
    kind = (
        "This person has nothing here yet: suggest five easy first steps, such as a first task, a "
        "first project, or a survey of their work."
        if is_newcomer
        else "Suggest five ways in which you can help this person today, most useful first. Each "
        "must come from the briefing and name the thing it is about by its exact title in “” "
        "quotes, or give its number. Mix what is late, critical, stuck, unsorted and half done."
    )
    return (
        f"You open the day of one person. {kind}\n"
        "Word each suggestion as the person would say it to you, as one short request that you "
        "could carry out or answer, without a number in front.\n"
        "The introduction is one sentence and does not list anything.\n"
        f"Write in {get_language_info(get_language() or 'en')['name']}; titles stay as they are."
    )


# By rules -------------------------------------------------------------------------------------
def _personal(snapshot: Snapshot) -> Iterator[Suggestion]:
    for kind in (_pressing, _half_done, _day, _of_projects):
        yield from kind(snapshot)


def _pressing(snapshot: Snapshot) -> Iterator[Suggestion]:
    late, number = snapshot.overdue, snapshot.counts.get("late", 0)
    if late and number == 1:
        label, say = _request(_("Move “%(title)s” to today"), late[0].title)
        was = {"say": label, "day": day(late[0].due_date, snapshot.today)}
        yield Suggestion(_("%(say)s, it was due %(day)s") % was, say=say)
    elif late:
        text = _("Go through %(n)d overdue to-dos, starting with “%(title)s”")
        about = {"n": number, "title": _title(late[0])}
        yield Suggestion(text % about, say=_("Show my overdue to-dos"))
    if n := snapshot.review_count:
        text = ngettext("Review one change",
                        "Review %(n)d changes", n)  # fmt: skip
        url = reverse("home_waiting")
        if len(snapshot.reviews) == 1:
            url = reverse("operations:batch", args=[snapshot.reviews[0].pk])
        yield Suggestion(text % {"n": n}, href=url)
    for task in snapshot.of_priority("critical")[:1]:
        yield _completed(task)
    if n := snapshot.counts.get("inbox", 0):
        text = ngettext("Sort one to-do in your inbox",
                        "Sort %(n)d to-dos in your inbox", n)  # fmt: skip
        yield Suggestion(text % {"n": n}, say=_("Show my inbox"))
    for task in snapshot.of_status("blocked")[:1]:
        text = _("See what is blocked, such as “%(title)s”") % {"title": _title(task)}
        yield Suggestion(text, say=_("Show my blocked to-dos"))


def _half_done(snapshot: Snapshot) -> Iterator[Suggestion]:
    for draft in snapshot.drafts[:1]:
        text = _("Continue the draft “%(name)s”, %(n)d of 9 dimensions covered")
        name = shortened(draft.name, TITLE_CHARS) or _("untitled")
        url = reverse("projects:draft", args=[draft.pk])
        yield Suggestion(text % {"name": name, "n": covered(draft)}, href=url)
    for survey in [line for line in snapshot.surveys if line.is_talking][:1]:
        text = _("Continue the survey “%(title)s”")
        url = reverse("survey:chat", args=[survey.id])
        yield Suggestion(text % {"title": shortened(survey.title, TITLE_CHARS)}, href=url)


def _day(snapshot: Snapshot) -> Iterator[Suggestion]:
    if first := snapshot.focus[:2]:
        names = _(" and ").join(quoted(_title(task)) for task in first)
        text = _("Plan the day around %(names)s") % {"names": names}
        yield Suggestion(text, say=_("What should I focus on today?"))
    if n := len(snapshot.soon):
        text = ngettext("See one to-do due this week", "See %(n)d to-dos due this week", n)
        yield Suggestion(text % {"n": n}, say=_("What is due this week?"))


def _of_projects(snapshot: Snapshot) -> Iterator[Suggestion]:
    for project in snapshot.projects[:2]:
        if not getattr(project, "open_count", 0):
            request = _("Update the project “%(name)s”")
            text = _("%(say)s: it has no open to-dos")
        elif project.end_date:
            request = _("Forecast “%(name)s”")
            text = _("%(say)s: will it be done by %(day)s?")
        else:
            request = _("Audit “%(name)s”")
            text = _("%(say)s: what is missing in the plan?")
        label, say = _request(request, project.name)
        end = day(project.end_date, snapshot.today)
        yield Suggestion(text % {"say": label, "day": end}, say=say)
    for task in [item for item in snapshot.recent if item.status in {"available", "scheduled"}][:1]:
        yield _completed(task)


def _completed(task: Task) -> Suggestion:
    label, say = _request(_("Mark “%(title)s” complete"), task.title)
    return Suggestion(_("%(say)s if it is done") % {"say": label}, say=say)


def _request(words: str, name: str) -> tuple[str, str]:
    """A request about a row as a button shows it, and as it is said: by the whole name."""
    short = shortened(name, TITLE_CHARS)
    return words % {"title": short, "name": short}, words % {"title": name, "name": name}


def _first_steps() -> Iterator[Suggestion]:
    say = _("Create a to-do to plan my week")
    yield Suggestion(_("Add a first to-do: “Plan my week”"), say=say)
    yield Suggestion(_("Plan a project: I ask, you answer"), href=reverse("projects:agent_new"))
    yield Suggestion(_("List your tasks at work in a survey"), href=reverse("survey:start"))
    say = _("Create a to-do to pay the rent on Friday, high priority")
    yield Suggestion(_("Add a to-do with a date: “pay the rent on Friday”"), say=say)
    yield _help()


def _help() -> Suggestion:
    return Suggestion(_("See what I can do for you"), say=_("What can you do?"))


def _always() -> Iterator[Suggestion]:
    yield Suggestion(_("See all open to-dos"), say=_("List all my to-dos"))
    yield Suggestion(_("Plan a new project"), href=reverse("projects:agent_new"))
    yield Suggestion(_("See completed to-dos"), say=_("Show my completed to-dos"))
    yield Suggestion(_("List your tasks at work in a survey"), href=reverse("survey:start"))
    yield _help()


def _title(task: Task) -> str:
    return shortened(task.title, TITLE_CHARS)
