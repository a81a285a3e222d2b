"""How a survey looks in the engine's conversation: its margin, its cards, its marked words."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from chat.events import Reference
from chat.models import Message, Run, Session
from chat.presenters import Mark, Notes, Presenter, Rendered
from futura.limits import SURVEY_MESSAGE_CHARS
from onet.candidates import ActivityGroup
from onet.translations import translations_of
from tasks.actions import erase_list
from tasks.campaigns.actions.joining import let_go
from tasks.campaigns.journey import fixed_words
from tasks.interview.state import LEVELS, SurveyState, Tool, language_of
from tasks.marking import Kind, MarkedWords, Words, listed_words, words_of
from tasks.models import SurveyResponse
from tasks.queries import tasks_of
from tasks.review import SUMS, Review, review_of

TICKS: Final = 10


def progress_of(state: Mapping[str, Any]) -> dict[str, Any]:
    """The margin; no `week_percent` and no ticks where nothing can be said."""
    stored = SurveyState.model_validate(state)
    percent = stored.week_percent
    words = {
        "none": gettext("not yet"),
        "low": gettext("a little"),
        "medium": gettext("partly"),
        "high": gettext("well"),
    }
    levels = [(group, stored.gwa_coverage.get(group, "none")) for group in ActivityGroup]
    return {
        "count": stored.estimated_task_count,
        "week_percent": percent,
        "ticks": [] if percent is None else [n * TICKS < percent for n in range(TICKS)],
        "groups": [
            {
                "label": str(group.label),
                "ticks": [place < LEVELS.index(level) for place in range(3)],
                "word": words[level],
            }
            for group, level in levels
        ],
        "noted": stored.activity_texts,
    }


def cards_context(part: Mapping[str, Any], message: Message, session: Session) -> dict[str, Any]:
    """What `tasks/_suggestions.html` needs; one query a session where it is not in English."""
    state, language = session.state, language_of(session.state)
    stored: dict[str, Any] = vars(session)
    if "card_translations" not in stored:  # of all cards that were taken from the catalogue
        taken = [str(card["statement"]) for card in state.get("cards", ()) if card.get("taskId")]
        stored["card_translations"] = translations_of(taken, language)
    picked = set(state.get("selectedSuggestionIds", ()))
    acknowledged = set(state.get("acknowledgedIds", ()))
    labels = dict(ActivityGroup.choices)
    cards = [
        {
            "id": str(card["id"]),
            "statement": str(card["statement"]),
            "group": str(labels.get(str(card.get("group") or card.get("gwaCategory")), "")),
            "picked": card["id"] in picked,
            "is_acknowledged": card["id"] in acknowledged,
            "translation": stored["card_translations"].get(str(card["statement"]), ""),
        }
        for card in part.get("cards", ())
    ]
    return {
        "cards": cards,
        "picked": sum(card["picked"] for card in cards),
        "fresh": sum(card["picked"] and not card["is_acknowledged"] for card in cards),
        "message": message,
        "session": session,
        "language": language,
    }


class SurveyPresenter(Presenter):
    """The survey: noted words, suggestion cards, progress, and the list as it is written."""

    kind = "survey"
    message_chars = SURVEY_MESSAGE_CHARS
    event_kinds = frozenset({"progress", "pipeline", "match", "task", "list"})
    state_event = "progress"
    has_policy = False  # the list itself is looked through, line by line
    composer_label = _("Your answer")
    composer_placeholder = _("Answer in your own words")
    name = _("Work survey")

    def page_url(self, session: Session) -> str:
        return reverse("survey:chat", args=[session.pk])

    def refusal(self, session: Session) -> str:
        """A list that was sent stands; talking on would change what it came from."""
        response = SurveyResponse.objects.select_related("campaign").filter(pk=session.pk).first()
        return fixed_words(response) if response is not None else ""

    def rewind_refusal(self, session: Session, message: Message | None) -> str:
        """What the list was written from stays as it was said; the list itself can be changed."""
        if message is None:
            return ""
        taken = Q(processed_to_seq__gte=message.seq) | Q(step__in=SurveyResponse.RUNNING)
        if SurveyResponse.objects.filter(taken, pk=session.pk).exists():
            return listed_words()
        return ""

    def written(self, run: Run, *, session: Session) -> Sequence[str]:
        mentions = session.state.get("mentionedActivities", ())
        return [
            str(mention["text"])
            for mention in mentions
            if mention.get("messageId") == str(run.message_id)
        ]

    def ended_url(self, session: Session) -> str:
        return reverse("survey:tasks", args=[session.pk])

    def part(
        self, part: Mapping[str, Any], *, message: Message, session: Session
    ) -> Rendered | None:
        """Suggestion cards, and below the newest reply what can be done instead of answering."""
        if part.get("type") == "suggestions":
            context = cards_context(part, message, session)
            turns = [part for part in message.parts if part.get("type") == "turn"]
            context["has_choices"] = any(_is_newest(turn, session) for turn in turns)
            return Rendered("tasks/_suggestions.html", context)
        if part.get("type") != "turn" or not _is_newest(part, session):
            return None
        if part.get("shouldShowSuggestions"):
            return None  # they stand below the cards
        context = {"session": session, "is_offer": part.get("tool") == Tool.OFFER}
        return Rendered("tasks/_choices.html", context)

    def part_words(self, part: Mapping[str, Any], *, message: Message) -> str:
        if part.get("type") == "suggestions":
            return _listed(gettext("Suggested"), [str(item["statement"]) for item in part["cards"]])
        if part.get("type") == "noted":
            stretches = [message.text[int(a) : int(b)] for a, b in part.get("spans", ())]
            return _listed(gettext("Noted"), stretches)
        return ""

    def notes(self, messages: Sequence[Message], *, session: Session) -> Mapping[uuid.UUID, Notes]:
        """The words that stand for tasks, and those taken out: buttons until they are listed.

        One query at most.
        """
        words = words_of(session, messages)
        by_id = {message.pk: message for message in messages}
        return {pk: _notes(by_id[pk], of_message) for pk, of_message in words.items()}

    def deletion(self, session: Session) -> str:
        """The list goes with the talk it came from, sent or not."""
        response = SurveyResponse.objects.filter(pk=session.pk).first()
        count = len(tasks_of(response)) if response else 0
        if response is None or not count:
            return ""
        says = ngettext(
            "Its task list with %(n)d task is deleted too, with all ratings and matches.",
            "Its task list with %(n)d tasks is deleted too, with all ratings and matches.",
            count,
        ) % {"n": count}
        sent = gettext("The survey was submitted; deleting also removes it from the results.")
        return f"{says} {sent}" if response.submitted_at else says

    def erase(self, session: Session) -> None:
        """The list, and what the ledger has of its words; a campaign keeps the counts."""
        let_go(session.pk)
        erase_list(session.pk)

    def fragments(self, event: Reference, *, session: Session, view: str) -> Sequence[Rendered]:
        if view == "chat":
            return [self._progress(session)] if event.kind == "progress" else []
        if view != "tasks" or event.kind not in self.event_kinds:
            return []
        review, is_first = _read_once(session)
        if review is None:
            return []
        if event.kind in {"match", "task"}:
            sums = [Rendered(name, _context(review)) for name in SUMS] if is_first else []
            return [*_task_fragments(review, event), *sums]
        return _list_fragments(review) if event.kind in {"list", "pipeline"} else []

    def snapshot(self, *, session: Session, view: str) -> Sequence[Rendered]:
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


def _is_newest(turn: Mapping[str, Any], session: Session) -> bool:
    is_last = turn.get("turnCount") == session.state.get("turnCount")
    return is_last and turn.get("tool") != Tool.PROCEED


def _notes(message: Message, words: Words) -> Notes:
    """“4 tasks noted, 1 taken out” and the marks, which lead to where they can be changed."""
    count = sum(int(part.get("count", 0)) for part in message.parts if part.get("type") == "noted")
    noted = ngettext("%(n)d task noted", "%(n)d tasks noted", count) % {"n": count}
    added = sum(item.kind == Kind.ADDED for item in words.marked)
    out = sum(item.kind == Kind.OUT for item in words.marked)
    says = [noted] if count else []
    says += [gettext("%(n)d added") % {"n": added}] if added else []
    says += [gettext("%(n)d removed") % {"n": out}] if out else []
    url = ""
    if words.can_change and message.status == Message.Status.COMPLETE:
        url = reverse("survey:words", args=[message.session_id, message.pk])
        says = says or [gettext("Mark a task")]
    return Notes([_mark(item, url) for item in words.marked], ", ".join(says), url)


def _mark(words: MarkedWords, url: str) -> Mark:
    tasks = ", ".join(" ".join(task.split()) for task in words.tasks)
    title = gettext("Task: %(tasks)s") if words.is_task else gettext("Removed: %(tasks)s")
    return Mark(
        words.start,
        words.end,
        is_on=words.is_task,
        url=url,
        title=title % {"tasks": tasks or " ".join(words.words.split())},
        says=gettext("Removed.") if words.is_task else gettext("Restored."),
    )


def _listed(heading: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{heading}:", *(f"- {line}" for line in lines)])


def _read_once(session: Session) -> tuple[Review | None, bool]:
    """The list as it stands, and whether this is the first asking.

    A session is read anew for every round of events; those of one round show the same list, and
    a batch of matches is a round of many.
    """
    stored: dict[str, Any] = vars(session)
    is_first = "survey_review" not in stored
    if is_first:
        response = SurveyResponse.objects.filter(pk=session.pk).first()
        stored["survey_review"] = review_of(response) if response else None
    return stored["survey_review"], is_first


def _task_fragments(review: Review, event: Reference) -> list[Rendered]:
    row = next((row for row in review.rows if str(row.task.pk) == event.id), None)
    if row is None:
        return []
    template = "tasks/_match.html" if event.kind == "match" else "tasks/_task.html"
    return [Rendered(template, {"row": row, **_context(review)})]


def _list_fragments(review: Review) -> list[Rendered]:
    names = ("tasks/_pipeline.html", "tasks/_list.html", *SUMS)
    return [Rendered(name, _context(review)) for name in names]


def _context(review: Review) -> dict[str, Any]:
    return {"review": review, "response": review.response, "oob": True}
