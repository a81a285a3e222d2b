"""What a day holds: what presses, what waits for review, what can be continued; few queries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from chat import library
from chat.identity import Identity
from chat.operations.models import OperationBatch
from futura.text import shortened
from projects import hooks
from projects.concierge.snapshot import Snapshot, SurveyLine, changes_in
from projects.dimensions import covered
from projects.hooks import Line
from projects.models import ProjectDraft
from projects.project_page import Todo
from projects.templatetags.project_words import ago
from projects.todos import queries
from projects.todos.rows import row

SHOWN: Final = 8
REVIEWS: Final = 5
WORDS_CHARS: Final = 80
MORNING, EVENING = 12, 18


@dataclass(frozen=True)
class Agenda:
    now: dt.datetime
    todos: Sequence[Todo]
    today_count: int
    inbox_count: int
    is_empty: bool
    waiting: Sequence[Line]
    review_batches: int
    ongoing: Sequence[Line]
    says: str

    @property
    def hidden(self) -> int:
        return max(self.today_count - len(self.todos), 0)

    @property
    def hidden_reviews(self) -> int:
        return max(self.review_batches - REVIEWS, 0)

    @property
    def hello(self) -> str:
        if self.now.hour < MORNING:
            return _("Good morning")
        return _("Good afternoon") if self.now.hour < EVENING else _("Good evening")


def agenda_of(identity: Identity, briefing: Snapshot) -> Agenda:
    """The day of a person whose briefing was read, with its counts: two queries more, and one for
    each kind of talk.
    """
    counts = briefing.counts
    tasks = queries.today_of(identity, briefing.today, SHOWN) if counts["today"] else []
    waits = [*map(review_line, briefing.reviews[:REVIEWS]), *hooks.portfolio.waiting(identity)]
    ongoing = [
        *map(_draft, briefing.drafts),
        *map(_survey, briefing.surveys),
        *_talks(identity, briefing),
    ]
    return Agenda(
        now=briefing.now,
        todos=[row(task, briefing.now, under_today=True) for task in tasks],
        today_count=counts["today"],
        inbox_count=counts["inbox"],
        is_empty=not (counts["all"] or waits or ongoing or briefing.project_count),
        waiting=waits,
        review_batches=len(briefing.reviews),
        ongoing=ongoing,
        says=_says(counts, briefing.review_count),
    )


def _says(counts: Mapping[str, int], reviews: int) -> str:
    """The day in a sentence; `reviews` are all changes that wait."""
    today, late = counts["today"], counts["late"]
    clauses = []
    if late:
        words = ngettext("One to-do is overdue", "%(n)d to-dos are overdue", late)
        clauses.append(words % {"n": late})
    if (n := today - late) > 0:
        words = ngettext("one to-do is for today", "%(n)d to-dos are for today", n)
        clauses.append(words % {"n": n})
    if reviews:
        words = ngettext("one change needs your review", "%(n)d changes need your review", reviews)
        clauses.append(words % {"n": reviews})
    if not clauses:
        return _("Nothing is due today.")
    sentence = ", ".join(clauses)
    return f"{sentence[0].upper()}{sentence[1:]}."


def review_line(review: OperationBatch) -> Line:
    """One batch that waits, and the page where it is settled."""
    n = changes_in(review)
    title = ngettext("One change to review", "%(n)d changes to review", n) % {"n": n}
    return Line(title, review.title, reverse("operations:batch", args=[review.pk]))


def _draft(draft: ProjectDraft) -> Line:
    values = {"n": covered(draft), "when": f", {ago(draft.touched_at)}"}
    url = reverse("projects:draft", args=[draft.pk])
    if draft.session_id is not None:  # leads on into its talk, if that is still there
        url = f"{reverse('projects:agent_new')}?draft={draft.pk}"
    note = _("Draft, %(n)d of 9 dimensions%(when)s") % values
    return Line(draft.title, note, url)


def _survey(survey: SurveyLine) -> Line:
    n = survey.count
    noted = ngettext("One task so far", "%(n)d tasks so far", n) % {"n": n} if n else ""
    page = "survey:chat" if survey.is_talking else "survey:tasks"
    title = _("Survey: %(title)s") % {"title": survey.title}
    note = f"{noted or _('Just started')}, {ago(survey.touched_at)}"
    return Line(title, note, reverse(page, args=[survey.id]))


def _talks(identity: Identity, briefing: Snapshot) -> list[Line]:
    """Running conversations about projects; those of a draft stand there already.

    Several about one project are told apart by what was said last.
    """
    of_drafts = {draft.session_id for draft in briefing.drafts}
    ids = [talk.pk for talk in briefing.talks if talk.pk not in of_drafts]
    conversations = library.rows_of(identity, ids) if ids else []
    return [
        Line(
            item.title,
            " · ".join(
                filter(None, [f"{item.kind}, {item.when}", shortened(item.words, WORDS_CHARS)])
            ),
            item.url,
            mark="unread" if item.is_unread else item.work,
        )
        for item in conversations
    ]
