"""How a survey looks in the engine's conversation and on the review page that follows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from chat.events import Reference
from chat.models import Message, Session
from chat.presenters import Presenter, Rendered
from futura.limits import SURVEY_MESSAGE_CHARS
from tasks.models import SurveyResponse
from tasks.progress import progress_of
from tasks.review import Review, review_of
from tasks.suggestions import cards_context


class SurveyPresenter(Presenter):
    """The survey: noted words, suggestion cards, progress, and the list as it is written."""

    kind = "survey"
    message_chars = SURVEY_MESSAGE_CHARS
    event_kinds = frozenset({"progress", "pipeline", "match", "task", "list"})
    composer_label = _("Your answer")
    composer_placeholder = _("Answer in your own words")

    def page_url(self, session: Session) -> str:
        """The chat page."""
        return reverse("survey:chat", args=[session.pk])

    def refusal(self, session: Session) -> str:
        """A list that was sent stands; talking on would change what it came from."""
        was_sent = SurveyResponse.objects.filter(pk=session.pk, submitted_at__isnull=False)
        if was_sent.exists():
            return gettext("This list was sent. It can be read, but no longer changed.")
        return ""

    def ended_url(self, session: Session) -> str:
        """The review page: the talk is over."""
        return reverse("survey:tasks", args=[session.pk])

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """Suggestion cards; the noted words are marks, not a part of their own."""
        if part.get("type") != "suggestions":
            return None
        return Rendered("tasks/_suggestions.html", cards_context(part, message, session))

    def foot(self, message: Message) -> str:
        """“4 tasks noted”."""
        count = sum(int(one.get("count", 0)) for one in _noted(message))
        if not count:
            return ""
        return ngettext("%(n)d task noted", "%(n)d tasks noted", count) % {"n": count}

    def marks(self, message: Message) -> Sequence[tuple[int, int]]:
        """The stretches that were noted."""
        return [(int(a), int(b)) for one in _noted(message) for a, b in one.get("spans", ())]

    def fragments(self, event: Reference, *, session: Session, view: str) -> Sequence[Rendered]:
        """What an event changes on the open page."""
        if view == "chat":
            return [self._progress(session)] if event.kind == "progress" else []
        response = SurveyResponse.objects.filter(pk=session.pk).first()
        if response is None or view != "tasks":
            return []
        review = review_of(response)
        if event.kind in {"match", "task"}:
            return _task_fragments(review, event)
        return _list_fragments(review) if event.kind in {"list", "pipeline"} else []

    def snapshot(self, *, session: Session, view: str) -> Sequence[Rendered]:
        """Everything that changes on the page."""
        if view == "chat":
            return [self._progress(session)]
        response = SurveyResponse.objects.filter(pk=session.pk).first()
        if response is None or view != "tasks":
            return []
        return _list_fragments(review_of(response))

    @staticmethod
    def _progress(session: Session) -> Rendered:
        context = {"progress": progress_of(session.state), "session": session, "oob": True}
        return Rendered("tasks/_progress.html", context)


def _noted(message: Message) -> list[Mapping[str, Any]]:
    return [one for one in message.parts if one.get("type") == "noted"]


def _task_fragments(review: Review, event: Reference) -> list[Rendered]:
    """The match or the whole row of one task, and what adds up from it."""
    row = next((row for row in review.rows if str(row.task.pk) == event.id), None)
    if row is None:
        return []
    template = "tasks/_match.html" if event.kind == "match" else "tasks/_task.html"
    context = {"row": row, "review": review, "response": review.response, "oob": True}
    return [Rendered(template, context), *_sums(review)]


def _list_fragments(review: Review) -> list[Rendered]:
    context = {"review": review, "response": review.response, "oob": True}
    return [
        Rendered("tasks/_pipeline.html", context),
        Rendered("tasks/_list.html", context),
        *_sums(review),
    ]


def _sums(review: Review) -> list[Rendered]:
    context = {"review": review, "response": review.response, "oob": True}
    return [Rendered("tasks/_dock.html", context), Rendered("tasks/_overview.html", context)]
