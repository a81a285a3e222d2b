"""What the auditing conversation writes by itself; the setting changes the tone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from projects.modes.audit.actions import Difference
from projects.modes.audit.auditing import Audit
from projects.modes.audit.models import Finding
from projects.modes.audit.shapes import AREAS, SEVERITIES

_WOULD: Final[dict[int, str | Promise]] = {
    5: gettext_lazy("You could %(what)s."),
    7: gettext_lazy("I would %(what)s."),
    8: gettext_lazy("Do this: %(what)s."),
}


def harshness_words(harshness: int) -> str:
    """How the setting is called."""
    names = {5: _("gentle, 5 of 10"), 7: _("frank, 7 of 10"), 8: _("hard, 8 of 10")}
    return names[harshness]


def audit_text(
    audit: Audit,
    standing: Sequence[Finding],
    difference: Difference,
    *,
    harshness: int,
    told: int,
    name: str,
) -> str:
    """The whole audit as Markdown: judgement, what changed, what works, findings.

    The first `told` of the standing findings are written out; all are in the list below it.
    """
    parts = [f"**{_('In short')}**\n\n{audit.overall or overall(standing)}"]
    if not difference.is_first:
        parts.append(f"**{_('Since the last audit')}**\n\n{since(difference)}")
    lines = [f"- {one.text}{_quotes([one.quote])}" for one in audit.strengths]
    parts.append("\n".join([f"**{_('What works')}**", "", *lines]))
    if standing:
        parts.append(f"**{_('What I found')}**")
        parts += [finding_text(n, one, harshness) for n, one in enumerate(standing[:told], 1)]
    remaining = len(standing) - told
    if remaining > 0:
        words = ngettext(
            "%(n)d smaller one is in the list below.",
            "%(n)d smaller ones are in the list below.",
            remaining,
        )
        parts.append(words % {"n": remaining})
    parts.append(closing(standing, name))
    return "\n\n".join(parts)


def overall(standing: Sequence[Finding]) -> str:
    """The judgement by numbers, where no model gave one."""
    if not standing:
        return _("Nothing that can be computed speaks against the plan.")
    grave = sum(one.severity == Finding.Severity.CRITICAL for one in standing)
    values = {"n": len(standing), "grave": grave}
    words = ngettext(
        "%(n)d finding is open, %(grave)d of it critical.",
        "%(n)d findings are open, %(grave)d of them critical.",
        len(standing),
    )
    return words % values


def since(difference: Difference) -> str:
    """What changed since the last audit, and what was mended, by name."""
    values = {
        "added": len(difference.added),
        "recurring": len(difference.recurring),
        "mended": len(difference.mended),
        "standing": len(difference.standing),
    }
    words = _("%(added)d new, %(recurring)d recurring, %(mended)d mended, %(standing)d still open.")
    lines = [words % values]
    lines += [f"- {_('Mended')}: {one.observation}" for one in difference.mended[:5]]
    lines += [f"- {_('Recurring')}: {one.observation}" for one in difference.recurring[:5]]
    return "\n".join([lines[0], *([""] if lines[1:] else []), *lines[1:]])


def finding_text(number: int, row: Finding, harshness: int) -> str:
    """One finding: what, by which words, a question, what to do."""
    source = _("computed") if row.source == Finding.Source.COMPUTED else _("from the texts")
    labels = [str(AREAS[row.area]), str(SEVERITIES[row.severity]), source]
    if row.status == Finding.Status.RECURRING:
        labels.append(_("recurring"))
    quotes = _quotes([one["quote"] for one in row.evidence[:2]])
    would = ""
    if row.recommendation:
        would = str(_WOULD[harshness]) % {"what": row.recommendation.rstrip(". ")}
    head = f"{number}. **{', '.join(labels)}.** {row.observation}{quotes}"
    return "\n".join([head, "", f"   {row.question} {would}".rstrip()])


def _quotes(quotes: Sequence[str]) -> str:
    plain = [" ".join(quote.split()).replace("*", "") for quote in quotes]
    return "".join(f" *“{quote}”*" for quote in plain if quote)


def closing(standing: Sequence[Finding], name: str) -> str:
    """How to go on."""
    if not standing:
        return _("Audit again when something has changed.")
    return _(
        "None of this speaks against **%(name)s**. Tick below what you want to take up: it becomes "
        "changes that wait for your approval. Answer or dismiss the others. Which one do you want "
        "to talk about?"
    ) % {"name": name}


def put_before(waiting: int) -> str:
    """Says where the changes wait."""
    words = ngettext(
        "%(n)d change waits for your approval in a conversation of its own.",
        "%(n)d changes wait for your approval in a conversation of their own.",
        waiting,
    )
    return words % {"n": waiting}


def gone() -> str:
    """The project is not there any more."""
    return _(
        "The project of this conversation is not there any more, so there is nothing to audit."
    )
