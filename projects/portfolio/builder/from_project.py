"""From a finished project to the first draft of its entry: records, each sentence with its source.

Nothing is put in other words than the records': descriptions are the person's own, milestones and
the end are told from the operations that made them. Notes stay private until they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from chat.operations.models import Operation
from futura.text import sentences
from projects.dimensions import BY_FIELD
from projects.models import Note, Project
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
    """What the records of a project tell, each sentence once. Four queries."""
    grounds: dict[str, Ground] = {}
    for ground in (*_described(project), *_milestones(project), *_ended(project)):
        grounds.setdefault(ground.text.casefold(), ground)
    return list(grounds.values())


def grounds(project: Project) -> list[Ground]:
    """What a sentence of a draft may stand on, notes included."""
    url = _url(project)
    fields = [Ground(str(getattr(project, name)), label=str(of.name), url=url)
              for name, of in BY_FIELD.items() if getattr(project, name)]  # fmt: skip
    notes = Note.objects.filter(project=project, deleted_at=None).order_by("created_at")
    values = [
        Ground(note.text, label=_("note of %(day)s") % {"day": _day(note.created_at)},
               url=f"{url}#note-{note.pk}")
        for note in notes[:60]
    ]  # fmt: skip
    return [*read(project), *fields, *values]


def draft(project: Project, entry: Entry, grounds: Sequence[Ground]) -> RewriteEntry:
    paragraphs = []
    for section in dict.fromkeys(item.section for item in grounds):
        own = [item for item in grounds if item.section == section]
        sources = tuple(
            SentenceSource(sentence=item.text, label=item.label, url=item.url, quote=item.text)
            for item in own
        )
        text = " ".join(item.text for item in own)
        paragraphs.append(Paragraph(section=section, text=text, sources=sources))
    started = f"{project.start_date or timezone.localdate(project.created_at):%Y-%m}"
    ends = _completed("project", [project.pk])
    ended = timezone.localdate(ends[-1].executed_at) if ends else project.end_date
    summary = next(iter(_sentences(project.executive_summary or project.description)), "")
    role = next(iter(_sentences(project.core_people_bonds)), "")
    values: dict[str, Any] = {
        "title": project.name,
        "summary": summary if len(summary) <= limits.SUMMARY_CHARS else "",
        "role": role if len(role) <= 200 else "",
        "started": started,
        "ended": f"{ended:%Y-%m}" if ended and f"{ended:%Y-%m}" >= started else "",
        "tags": tuple(str(tag) for tag in project.tags)[:8],
        "blocks": with_paragraphs(entry.blocks, paragraphs),
    }
    fields = {name: value for name, value in values.items() if value}
    return RewriteEntry.model_validate({"id": entry.pk, **fields})


def _described(project: Project) -> Iterator[Ground]:
    for field, section in _FIELDS.items():
        label = str(BY_FIELD[field].name) if field in BY_FIELD else _("description")
        for text in _sentences(getattr(project, field))[:6]:
            yield Ground(text, label=label, url=_url(project), section=section)


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
