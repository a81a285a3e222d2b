"""Words about what was done: told from the ledger, and a model's own words checked against it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import formats
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.operations.models import Operation, OperationBatch
from chat.operations.registry import operable
from futura.text import shortened
from projects.dimensions import BY_FIELD

Status, Type = Operation.Status, Operation.Type

_DONE: Final = (
    (Type.CREATE, r"creat(?:ed|ing)|add(?:ed|ing)|made|noted|wr(?:ote|itten)\s+down|set\s+up"),
    (
        Type.UPDATE,
        (r"updat(?:ed|ing)|chang(?:ed|ing)|mov(?:ed|ing)|push(?:ed|ing)|postpon(?:ed|ing)"
        r"|renam(?:ed|ing)|adjust(?:ed|ing)|shift(?:ed|ing)|reschedul(?:ed|ing)|mark(?:ed|ing)"
        r"|set|complet(?:ed|ing)|finish(?:ed|ing)|clos(?:ed|ing)|dropp(?:ed|ing)"
        r"|cancell?(?:ed|ing)|archiv(?:ed|ing)|reviv(?:ed|ing)|saved|recorded|approv(?:ed|ing)"
        r"|noted|wr(?:ote|itten)\s+down|captured|kept"),
    ),
    (
        Type.DELETE,
        r"delet(?:ed|ing)|remov(?:ed|ing)|eras(?:ed|ing)|wip(?:ed|ing)|dropp(?:ed|ing)|purg(?:ed|ing)",
    ),
    ("never", r"publish(?:ed|ing)|shared|sent|e-?mailed|posted|uploaded|finali[sz](?:ed|ing)"),
)  # fmt: skip
_VERBS: Final = "|".join(pattern for _kind, pattern in _DONE)
_CLAIM: Final = re.compile(
    rf"\b(?:I|we)(?:'ve|’ve|\s+have|'m|’m|\s+am)?\s+(?:now\s+|just\s+|also\s+|already\s+)*"
    rf"(?P<own>{_VERBS})\b"
    rf"|\b(?:has|have|is|are|was|were)\s+(?:now\s+|all\s+|been\s+|already\s+|successfully\s+)*"
    rf"(?P<passive>{_VERBS})\b"
    rf"|^\W*(?:\*\*)?(?P<bare>{_VERBS})\b"
    r"|^\W*(?P<all>done|all set|all done|it is done)\b",
    re.IGNORECASE,
)
_NOT_A_CLAIM: Final = re.compile(
    r"\?\s*$|\b(?:could|can|shall|should|would|will|may|might|not|never|n't|n’t|if|once|when|you"
    r"(?:'ve|’ve|\s+have)|before|to be|waits?|waiting)\b",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"\b(\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten)\s+(?:\w+\s+)?"
    r"(tasks?|notes?|changes?|things|updates?|operations?|dates?)\b",
    re.IGNORECASE,
)
_WORDS: Final = {
    word: value
    for value, word in enumerate(
        "one two three four five six seven eight nine ten".split(), start=1
    )
}
_BOOKKEEPING: Final = frozenset(
    {"status", "completed_at", "finalized_project", "question_count", "dimensions_covered",
     "session"}
)  # fmt: skip
SECRET_CHARS: Final = 24
_SENTENCE: Final = re.compile(r"(?<=[.!?…])\s+|\n+")


@dataclass(frozen=True)
class Facts:
    """What the ledger says of a turn: executed operations by type, how many of what."""

    done: Sequence[Operation] = ()
    waiting: Sequence[Operation] = ()
    failed: Sequence[Operation] = ()

    @property
    def types(self) -> set[str]:
        """Types of the executed operations; an update to `dropped` counts as a deletion, too."""
        found = {str(one.type) for one in self.done}
        if any((_after(one) or {}).get("status") == "dropped" for one in self.done):
            found.add(Type.DELETE)
        return found

    def count(self, noun: str) -> int:
        """How many things of that name were really changed."""
        entities = {"task": {"task", "draft_task"}, "note": {"note"}}.get(noun.lower().rstrip("s"))
        return len({one.entity_id for one in self.done if not entities or one.entity in entities})


def facts_of(batches: Sequence[OperationBatch]) -> Facts:
    """Reads the operations of some batches as they stand now, in one query."""
    ids = [one.pk for one in batches]
    found = Operation.objects.filter(batch__in=ids).select_related("payload", "batch")
    rows = list(found.order_by("batch__created_at", "sequence"))
    in_review = OperationBatch.Status.REVIEW
    return Facts(
        done=[one for one in rows if one.status == Status.COMPLETED and _says_something(one)],
        waiting=[
            one for one in rows if one.status == Status.PENDING and one.batch.status == in_review
        ],
        failed=[one for one in rows if one.status == Status.FAILED],
    )


def _says_something(operation: Operation) -> bool:
    """Whether anything of it matters to people; a draft's own bookkeeping does not."""
    if operation.type == Type.UPDATE:
        own = _BOOKKEEPING if operation.entity == "draft" else frozenset()
        return bool(set(operation.changed_fields) - own)
    return operation.entity != "draft"


def is_true(sentence: str, facts: Facts) -> bool:
    """Whether a sentence claims nothing that the ledger does not show."""
    claim = _CLAIM.search(sentence)
    if claim is None or _NOT_A_CLAIM.search(sentence):
        return True
    if claim["all"]:
        return bool(facts.done) and not facts.failed
    said = (claim["own"] or claim["passive"] or claim["bare"]).lower()
    kinds = {kind for kind, pattern in _DONE if re.fullmatch(pattern, said)}
    if not kinds & facts.types:
        return False
    return all(
        (_WORDS.get(number.lower()) or int(number)) <= facts.count(noun)
        for number, noun in _NUMBER.findall(sentence)
    )


def boasts(sentence: str) -> bool:
    """Whether somebody says of themselves that they did something, where nothing was done."""
    claim = _CLAIM.search(sentence)
    return bool(claim and claim["own"]) and not _NOT_A_CLAIM.search(sentence)


def checked(text: str, batches: Sequence[OperationBatch], *, secret: str = "") -> str:
    """The text without claims that no operation shows and without sentences of the instructions
    (`secret`), then the ledger's own words."""
    checker = Checker(lambda: facts_of(batches), secret=secret)
    said = "".join([*checker.feed(text), *checker.end()]).strip()
    return "\n\n".join(filter(None, [said, told(batches)]))


class Checker:
    """Checks a text as it comes: a sentence is let through once it is whole and true.

    Sentences of `secret` (the instructions) are not let through either.
    """

    def __init__(self, facts: Callable[[], Facts], *, secret: str = "") -> None:
        self.facts = facts
        self.secret = _plain(secret)
        self.held = ""
        self.dropped: list[str] = []
        self.has_said = False

    def feed(self, delta: str) -> Iterator[str]:
        """The sentences that this stretch completes."""
        self.held += delta
        while (end := _SENTENCE.search(self.held)) is not None:
            whole, self.held = self.held[: end.end()], self.held[end.end() :]
            yield from self._passed(whole)

    def end(self) -> Iterator[str]:
        """What was held back, if it is true."""
        whole, self.held = self.held, ""
        yield from self._passed(whole)

    def tells(self, sentence: str) -> bool:
        """Whether a sentence repeats what the model was told in confidence."""
        words = _plain(sentence)
        return len(words) > SECRET_CHARS and words in self.secret

    def _passed(self, sentence: str) -> Iterator[str]:
        if not sentence.strip():
            if self.has_said and sentence:
                yield sentence
        elif self.tells(sentence) or (
            _CLAIM.search(sentence) and not is_true(sentence.strip(), self.facts())
        ):
            self.dropped.append(sentence.strip())
        else:
            self.has_said = True
            yield sentence


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def told(batches: Sequence[OperationBatch]) -> str:
    """What was done, what waits and what failed, as Markdown; empty when there is nothing."""
    facts = facts_of(batches)
    parts = []
    if facts.done:
        parts.append(_listed(_("Done:"), [line_of(one) for one in facts.done]))
    if facts.waiting:
        heading = ngettext(
            "%(n)d change waits for you under Changes: %(why)s",
            "%(n)d changes wait for you under Changes: %(why)s",
            len(facts.waiting),
        ) % {"n": len(facts.waiting), "why": _why(facts.waiting)}
        parts.append(_listed(heading, [line_of(one) for one in facts.waiting]))
    if facts.failed:
        parts.append(_listed(_("This did not work:"), [_failure(one) for one in facts.failed]))
    return "\n\n".join(parts)


def _why(waiting: Sequence[Operation]) -> str:
    reasons = dict.fromkeys(str(why) for one in waiting for why in one.batch.review_reasons)
    return " ".join(reasons)


def _listed(heading: str, lines: Sequence[str], limit: int = 12) -> str:
    shown = [f"- {line}" for line in lines[:limit]]
    if len(lines) > limit:
        shown.append(_("- and %(n)d more") % {"n": len(lines) - limit})
    return "\n".join([heading, "", *shown])


def _failure(operation: Operation) -> str:
    return f"{line_of(operation)}: {operation.error}"


def line_of(operation: Operation) -> str:
    """One operation in a few words: “New task **Mobile app**”, “**Launch**: due date → 30 …”."""
    of = operable(operation.entity)
    row = of.model._default_manager.filter(pk=operation.entity_id).first()
    values = _after(operation) or operation.payload.requested or {}
    name = shortened(
        of.title({**({k: getattr(row, k, "") for k in ("name", "title", "text")} if row else {}),
                  **values}), 80
    )  # fmt: skip
    noun = _NOUNS[operation.entity]
    if operation.type == Type.CREATE:
        due = values.get("due_date")
        when = _(", due %(date)s") % {"date": value_in_words(due)} if due else ""
        return _("New %(noun)s **%(name)s**%(when)s") % {"noun": noun, "name": name, "when": when}
    if operation.type == Type.DELETE:
        return _("Delete the %(noun)s **%(name)s**") % {"noun": noun, "name": name}
    names = operation.changed_fields or sorted(values)
    fields = ", ".join(_field(one, values.get(one)) for one in names if one in FIELDS)
    return f"**{name}**: {fields}" if name and operation.entity != "draft" else fields or noun


_NOUNS: Final = {
    "project": "project", "draft": "draft", "draft_task": "task", "task": "task", "note": "note",
    "forecast": "forecast",
}  # fmt: skip
FIELDS: Final = {
    "name": "name", "description": "description", "context": "context",
    "executive_summary": "summary", "start_date": "start", "end_date": "end date", "tags": "tags",
    "status": "status", "title": "title", "details": "details", "priority": "priority",
    "due_date": "due", "estimate_low_days": "estimate from", "estimate_high_days": "estimate to",
    "depends_on": "depends on", "text": "text",
    "time_share_after": "share of the working time (%)",
    **{field: str(one.name) for field, one in BY_FIELD.items()},
}  # fmt: skip


def _field(name: str, value: object) -> str:
    label = FIELDS[name]
    if name in BY_FIELD or name in {"context", "description", "executive_summary", "text"}:
        return f"“{label}”"
    if name == "depends_on":
        return label
    return f"{label} → **{value_in_words(value)}**"


def value_in_words(value: object) -> str:
    """A plain value as people read it: dates with the month's name, “none” for nothing."""
    if value in (None, "", []):
        return _("none")
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    try:
        date = parse_date(str(value))
    except ValueError:
        date = None
    return formats.date_format(date, "j F Y") if date else shortened(str(value), 60)


def _after(operation: Operation) -> dict[str, object] | None:
    after: dict[str, object] | None = operation.payload.after
    return after
