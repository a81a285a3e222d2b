"""From a finished project to the first draft of its entry: records, each sentence with its source.

Nothing is put in other words than the records': milestones and the end are told from the
operations that made them, and what a model worded bears nothing out, as it would be its own
source. Notes stay private until they are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from chat.models import Message
from chat.operations.changes import Kind
from chat.operations.models import Operation
from futura.text import sentences
from projects.dimensions import BY_FIELD
from projects.models import Note, Project, ProjectDraft
from projects.portfolio.blocks import SentenceSource
from projects.portfolio.builder.drafting import Ground
from projects.portfolio.commands.story import Paragraph, RewriteEntry, Section, with_paragraphs
from projects.portfolio.entries import limits
from projects.portfolio.models import Entry

_FIELDS: Final[dict[str, Section]] = {
    "description": "what",
    "core_reality_understanding": "problem",
    "core_meaning_identity": "problem",
    "core_goals_momentum": "problem",
    "core_integrity_ideals": "problem",
}


def read(project: Project) -> list[Ground]:
    """What the records of a project tell, each sentence once."""
    return _once(project, OwnWords.of(project))


def grounds(project: Project) -> list[Ground]:
    """What a sentence of a draft may stand on, notes included; each text as its owner worded it."""
    url, own = _url(project), OwnWords.of(project)
    texts = [(str(getattr(project, name)), str(of.name), url) for name, of in BY_FIELD.items()]
    notes = Note.objects.filter(project=project, deleted_at=None).order_by("created_at")
    texts += [
        (note.text, _("note of %(day)s") % {"day": _day(note.created_at)}, f"{url}#note-{note.pk}")
        for note in notes[:60]
    ]
    values = [
        Ground("\n".join(some), label=label, url=address, is_own=is_own)
        for text, label, address in texts
        for is_own in (True, False)
        if (some := [item for item in _sentences(text) if own.holds(item) == is_own])
    ]
    return [*_once(project, own), *values]


@dataclass(frozen=True)
class OwnWords:
    """What the owner of a project typed into its forms or approved in a review, and what they said
    where it was talked about.
    """

    typed: frozenset[str]
    messages: str

    @classmethod
    def of(cls, project: Project) -> OwnWords:
        """Also from the draft that it was made of: to create a project words no sentence of it."""
        drafts = list(
            ProjectDraft.objects.filter(finalized_project=project).values_list("pk", flat=True)
        )
        notes = Note.objects.filter(project=project, deleted_at=None).values("pk")
        operations = Operation.objects.filter(
            Q(entity="project", entity_id=project.pk)
            | Q(entity="draft", entity_id__in=drafts)
            | Q(entity="note", entity_id__in=notes),
            status=Operation.Status.COMPLETED,
        )
        is_approved = ~Q(batch__review_reasons=[])
        by_hand = operations.filter(Q(batch__actor=Kind.PERSON) | is_approved, batch__undoes=None)
        if drafts:
            by_hand = by_hand.exclude(entity="project", type=Operation.Type.CREATE)
        messages = Message.objects.filter(
            session__in=operations.values("batch__session"), role=Message.Role.PERSON,
            superseded_at=None,
        )  # fmt: skip
        texts = messages.values_list("text", flat=True)
        return cls(typed_in(by_hand), "\n".join(map(_plain, texts)))

    def holds(self, sentence: str) -> bool:
        """Whether they are somewhere as they stand, word for word."""
        words = re.escape(_plain(sentence).rstrip(".!?"))
        return sentence in self.typed or bool(re.search(rf"(?<!\w){words}(?!\w)", self.messages))


def draft(project: Project, entry: Entry, grounds: Sequence[Ground]) -> RewriteEntry:
    paragraphs = []
    for section in dict.fromkeys(item.section for item in grounds):
        own = [item for item in grounds if item.section == section]
        sources = tuple(
            SentenceSource(sentence=item.text, label=item.label, url=item.url, quote=item.text)
            if item.is_own
            else SentenceSource(sentence=item.text)
            for item in own
        )
        text = " ".join(item.text for item in own)
        paragraphs.append(Paragraph(section=section, text=text, sources=sources))
    begun = project.start_date or timezone.localdate(project.created_at)
    ends = _completed("project", [project.pk])
    ended = timezone.localdate(ends[-1].executed_at) if ends else project.end_date
    started = None if ended and ended < begun else begun  # written down after it was over
    summary = next(iter(_sentences(project.executive_summary or project.description)), "")
    people = _sentences(project.core_people_bonds)  # a list of them names others
    role = next((text for text in people if not text.startswith(("- ", "* "))), "")
    values: dict[str, Any] = {
        "title": project.name,
        "summary": summary if len(summary) <= limits.SUMMARY_CHARS else "",
        "role": role if len(role) <= 200 else "",
        "started": f"{started:%Y-%m}" if started else "",
        "ended": f"{ended:%Y-%m}" if ended else "",
        "tags": tuple(str(tag) for tag in project.tags)[:8],
        "blocks": with_paragraphs(entry, paragraphs),
    }
    fields = {name: value for name, value in values.items() if value}
    return RewriteEntry.model_validate({"id": entry.pk, **fields})


def _once(project: Project, own: OwnWords) -> list[Ground]:
    grounds: dict[str, Ground] = {}
    for ground in (*_described(project, own), *_milestones(project), *_ended(project)):
        grounds.setdefault(ground.text.casefold(), ground)
    return list(grounds.values())


def _described(project: Project, own: OwnWords) -> Iterator[Ground]:
    for field, section in _FIELDS.items():
        label = str(BY_FIELD[field].name) if field in BY_FIELD else _("description")
        for text in _sentences(getattr(project, field))[:6]:
            yield Ground(
                text, label=label, url=_url(project), section=section, is_own=own.holds(text)
            )


def _milestones(project: Project) -> Iterator[Ground]:
    tasks = {task.pk: task for task in project.tasks.filter(deleted_at=None, status="completed")}
    last = {item.entity_id: item for item in _completed("task", list(tasks))}
    for operation in list(last.values())[:8]:
        what = tasks[operation.entity_id].title.rstrip(".")
        text = _("%(when)s: %(what)s.") % {"when": _day(operation.executed_at), "what": what}
        yield _by(operation, text, "process")


def _ended(project: Project) -> Iterator[Ground]:
    if ends := _completed("project", [project.pk]):
        text = _("The project was completed on %(day)s.") % {"day": _day(ends[-1].executed_at)}
        yield _by(ends[-1], text, "outcome")
    before, after = project.time_share_before, project.time_share_after
    if before is not None and after is not None and after < before:
        words = _(
            "The task behind it took %(before)s %% of my working time; now it takes %(after)s %%."
        )
        text = words % {"before": f"{before.normalize():f}", "after": f"{after.normalize():f}"}
        label = _("your working time")
        yield Ground(text, label=label, url=_url(project), section="outcome")


def _completed(entity: str, ids: Sequence[Any]) -> Sequence[Operation]:
    """Operations that completed something and still stand, oldest first."""
    completed = Operation.objects.filter(
        entity=entity, entity_id__in=ids, status=Operation.Status.COMPLETED,
        type=Operation.Type.UPDATE, payload__after__status="completed",
    ).select_related("payload")  # fmt: skip
    return list(completed.order_by("executed_at"))


def _by(operation: Operation, text: str, section: Section) -> Ground:
    url = reverse("operations:details", args=[operation.batch_id, operation.pk])
    label = _("completed on %(day)s") % {"day": _day(operation.executed_at)}
    return Ground(text, label=label, url=url, section=section)


def _url(project: Project) -> str:
    return reverse("projects:project", args=[project.pk])


def _day(moment: Any) -> str:
    return formats.date_format(timezone.localdate(moment), "j F Y")


def _sentences(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


def typed_in(operations: QuerySet[Operation]) -> frozenset[str]:
    """The sentences that operations brought into the fields of rows, and into blocks."""
    typed: set[str] = set()
    for before, after in operations.values_list("payload__before", "payload__after"):
        typed |= _sentences_in(after) - _sentences_in(before)
    return frozenset(typed)


def _sentences_in(values: Mapping[str, Any] | None) -> set[str]:
    fields = values or {}
    blocks = (block.get("text", "") for block in fields.get("blocks") or ())
    texts = (value for value in (*fields.values(), *blocks) if isinstance(value, str))
    return {text for value in texts for text in _sentences(value)}


def _plain(text: str) -> str:
    """In one case and with single blanks, as wrapping and capitals are no other wording."""
    return " ".join(text.casefold().split())
