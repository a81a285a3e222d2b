"""From a finished project to the first draft of its entry: records, each sentence with its source.

Nothing is put in other words than the records': descriptions, decisions and notes are the person's
own; milestones and the end are told from the operations that made them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from chat.guides import GuideEvent, Part, Text, Turn
from chat.models import Message
from chat.operations.models import Operation
from chat.presenters import presenter_for
from projects.dimensions import BY_FIELD
from projects.language.sentences import sentences
from projects.models import Note, Project
from projects.portfolio.builder import content, sections
from projects.portfolio.builder.calls import Generate
from projects.portfolio.builder.desk import NOBODY, Desk
from projects.portfolio.builder.outcomes import Proposed
from projects.portfolio.builder.state import BuilderState, Proposal
from projects.portfolio.builder.telling import sentence
from projects.portfolio.builder.understanding import facts
from projects.portfolio.builder.understanding.answers import finished
from projects.portfolio.models import Entry

MILESTONES: Final = 8
DECISIONS: Final = 8
NOTES_READ: Final = 60
_DECIDED: Final = re.compile(
    r"\b(?:decid\w+|decision|chose[n]?|choose|agreed|settled|instead\s+of|rather\s+than|went\s+with|opted)\b",
    re.IGNORECASE,
)
_RESULT: Final = re.compile(
    r"\b(?:results?|learn(?:ed|t)|outcome|feedback|works\s+now|saved?|reduced|increased|finished|users?\s+(?:say|said)|won)\b",
    re.IGNORECASE,
)
_FIELDS: Final = (
    ("description", "what"),
    ("core_reality_understanding", "problem"),
    ("core_meaning_identity", "problem"),
    ("core_goals_momentum", "problem"),
    ("core_integrity_ideals", "problem"),
)


@dataclass(frozen=True)
class Sourced:
    """A sentence of the draft, the part of the story it belongs to, and where it comes from."""

    text: str
    topic: str
    source: str
    label: str
    url: str


def read(project: Project) -> list[Sourced]:
    """What the records of a project tell, in the order of a story. Five queries."""
    told = [*_described(project), *_decided(project), *_noted(project)]
    told += [*_milestones(project), *_ended(project)]
    seen: set[str] = set()
    fresh = []
    for one in told:
        key = " ".join(one.text.casefold().split())
        if key not in seen:
            seen.add(key)
            fresh.append(one)
    return sorted(fresh, key=lambda one: sections.STORY.index(one.topic))


def draft(project: Project, entry: Entry, told: Sequence[Sourced]) -> Proposal:
    """The entry that these sentences make."""
    blocks: list[dict[str, Any]] = []
    for one in told:
        blocks = sections.with_text(blocks, one.topic, one.text)
    said = " ".join(one.text for one in told)
    summary = content.first_sentence(project.executive_summary) or content.first_sentence(
        project.description
    )
    started = project.start_date or timezone.localdate(project.created_at)
    ended = _end_of(project)
    fields: dict[str, Any] = {
        "title": project.name,
        "summary": content.shortened(summary, content.SUMMARY_CHARS),
        "role": content.shortened(content.first_sentence(project.core_people_bonds), 200),
        "started": f"{started:%Y-%m}",
        "ended": ended if ended >= f"{started:%Y-%m}" else "",
        "tags": [str(one) for one in project.tags][:8],
        **facts.made_with(f"{said} {project.core_power_resources}"),
    }
    outcome = [one.text for one in told if one.topic == "outcome" and facts.FIGURE.search(one.text)]
    if outcome:
        fields["impact"] = outcome[-1]
    wanted = {
        name: value for name, value in fields.items() if value and getattr(entry, name) != value
    }
    return Proposal(kind="project", fields=wanted, blocks=blocks or None)


def telling_of(turn: Turn[BuilderState], desk: Desk, entry: Entry) -> Iterator[GuideEvent]:
    """The opening of a conversation that begins with a project's records."""
    own = Project.objects.filter(owner_id=desk.session.participant_id, deleted_at=None)
    project = own.filter(pk=turn.state.project_id or NOBODY).first()
    told = read(project) if project else []
    if project is None or not told:
        yield Text(_("The project has no records that tell a story yet. What did you make?"))
        turn.state.open = "what"
        return
    proposal = draft(project, entry, told).model_copy(update={"version": entry.version})
    turn.state.proposal = proposal
    turn.state.told = {
        topic: " ".join(one.text for one in told if one.topic == topic)[:2_000]
        for topic in sections.STORY
        if any(one.topic == topic for one in told)
    }
    yield Part({"type": "sourced", "quiet": True, "project": str(project.pk), "title": project.name,
                "sentences": [asdict(one) for one in told]})  # fmt: skip
    yield Text(sentence(Proposed(Generate(), proposal, {})))


def _described(project: Project) -> Iterator[Sourced]:
    url = reverse("projects:project", args=[project.pk])
    for field, topic in _FIELDS:
        label = str(BY_FIELD[field].name) if field in BY_FIELD else _("description")
        for one in sentences(getattr(project, field))[:6]:
            yield Sourced(finished(one.text), topic, "project", label, url)


def _noted(project: Project) -> Iterator[Sourced]:
    """Notes that tell of a decision or a result; others stay private."""
    notes = Note.objects.filter(project=project, deleted_at=None).order_by("created_at")[
        :NOTES_READ
    ]
    for note in notes:
        url = f"{reverse('projects:project', args=[project.pk])}#note-{note.pk}"
        label = _("note of %(day)s") % {"day": _day(note.created_at)}
        for one in sentences(note.text)[:6]:
            topic = (
                "process"
                if _DECIDED.search(one.text)
                else "outcome"
                if _RESULT.search(one.text)
                else ""
            )
            if topic:
                yield Sourced(finished(one.text), topic, "note", label, url)


def _decided(project: Project) -> Iterator[Sourced]:
    """Decisions that messages told of, where they changed the project."""
    causes = Operation.objects.filter(
        entity__in=("project", "task", "note"),
        entity_id__in=[project.pk, *project.tasks.values_list("pk", flat=True)],
        status=Operation.Status.COMPLETED,
        batch__message__isnull=False,
        batch__session__kind="project_update",
    )
    ids = causes.values_list("batch__message_id", flat=True).distinct()
    said = Message.objects.filter(
        pk__in=list(ids), superseded_at=None, session__deleted_at=None
    ).select_related("session")
    found = 0
    for message in said.order_by("created_at"):
        page = f"{presenter_for(message.session.kind).page_url(message.session)}?at={message.pk}"
        label = _("what you said on %(day)s") % {"day": _day(message.created_at)}
        for one in sentences(message.text):
            if _DECIDED.search(one.text) and found < DECISIONS:
                found += 1
                yield Sourced(finished(one.text), "process", "message", label, page)


def _done(entity: str, ids: Sequence[Any]) -> Sequence[Operation]:
    """Operations that completed something and still stand, oldest first."""
    found = Operation.objects.filter(
        entity=entity, entity_id__in=ids, status=Operation.Status.COMPLETED,
        type=Operation.Type.UPDATE, payload__after__status="completed",
    ).select_related("payload")  # fmt: skip
    return list(found.order_by("executed_at"))


def _milestones(project: Project) -> Iterator[Sourced]:
    tasks = {one.pk: one for one in project.tasks.filter(deleted_at=None, status="completed")}
    last = {one.entity_id: one for one in _done("task", list(tasks))}
    for operation in list(last.values())[:MILESTONES]:
        when = _day(operation.executed_at)
        text = _("%(when)s: %(what)s.") % {
            "when": when,
            "what": tasks[operation.entity_id].title.rstrip("."),
        }
        yield _by(operation, text, "process", _("completed on %(day)s") % {"day": when})


def _ended(project: Project) -> Iterator[Sourced]:
    ends = _done("project", [project.pk])
    if ends:
        when = _day(ends[-1].executed_at)
        text = _("The project was finished on %(day)s.") % {"day": when}
        yield _by(ends[-1], text, "outcome", _("finished on %(day)s") % {"day": when})
    before, after = project.time_share_before, project.time_share_after
    if before is not None and after is not None and after < before:
        told = _(
            "The task behind it took %(before)s %% of my working time; now it takes %(after)s %%."
        )
        text = told % {"before": f"{before.normalize():f}", "after": f"{after.normalize():f}"}
        url = reverse("projects:project", args=[project.pk])
        yield Sourced(text, "outcome", "project", _("your working time"), url)


def _by(operation: Operation, text: str, topic: str, label: str) -> Sourced:
    url = reverse("operations:details", args=[operation.batch_id, operation.pk])
    return Sourced(text, topic, "operation", label, url)


def _end_of(project: Project) -> str:
    ends = _done("project", [project.pk])
    if ends and ends[-1].executed_at:
        return f"{timezone.localdate(ends[-1].executed_at):%Y-%m}"
    return f"{project.end_date:%Y-%m}" if project.end_date else ""


def _day(moment: Any) -> str:
    return formats.date_format(timezone.localdate(moment), "j F Y")
