"""What the auditing conversation writes by itself; the setting changes the tone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from futura.text import quoted
from projects.modes.audit.actions import Difference
from projects.modes.audit.auditing import Audit
from projects.modes.audit.checks import Severity
from projects.modes.audit.models import Finding

_WOULD: Final[dict[int, str | Promise]] = {
    5: gettext_lazy("You could %(what)s."),
    7: gettext_lazy("I would %(what)s."),
    8: gettext_lazy("Do this: %(what)s."),
}
HARSHNESS_WORDS: Final[dict[int, str | Promise]] = {
    5: gettext_lazy("gentle, 5 of 10"),
    7: gettext_lazy("frank, 7 of 10"),
    8: gettext_lazy("hard, 8 of 10"),
}
# how many findings are written out, and the least severity of these, by harshness
TOLD: Final = {5: 6, 7: 10, 8: 14}
LEAST: Final = {5: Severity.SERIOUS, 7: Severity.MINOR, 8: Severity.MINOR}
FEW: Final = 3


def audit_text(
    audit: Audit, standing: Sequence[Finding], difference: Difference, harshness: int, name: str
) -> str:
    """The whole audit as Markdown: judgement, what changed, what works, findings.

    Written out are the grave ones, at least a few, at most as the tone says; all are in the list
    below it.
    """
    grave = sum(one.severity >= LEAST[harshness] for one in standing)
    told = min(max(grave, FEW), TOLD[harshness], len(standing))
    parts = ["**" + _("In short") + f"**\n\n{audit.overall or overall(standing)}"]
    if not difference.is_first:
        parts.append("**" + _("Since the last audit") + f"**\n\n{since(difference)}")
    lines = [f"- {text}{_quotes([quote])}" for text, quote in audit.strengths]
    parts.append("\n".join(["**" + _("What works") + "**", "", *lines]))
    if standing:
        parts.append("**" + _("What I found") + "**")
        parts += [finding_text(n, one, harshness) for n, one in enumerate(standing[:told], 1)]
    if remaining := len(standing) - told:
        words = ngettext(
            "%(n)d smaller finding is in the list below.",
            "%(n)d smaller findings are in the list below.",
            remaining,
        )
        parts.append(words % {"n": remaining})
    parts.append(closing(standing, name))
    return "\n\n".join(parts)


def overall(standing: Sequence[Finding]) -> str:
    """The judgement by numbers, where no model gave one."""
    if not standing:
        return _("The computed checks found no problem with the plan.")
    grave = sum(one.severity == Severity.CRITICAL for one in standing)
    words = ngettext(
        "%(n)d finding is open, %(grave)d of it critical.",
        "%(n)d findings are open, %(grave)d of them critical.",
        len(standing),
    )
    return words % {"n": len(standing), "grave": grave}


def since(difference: Difference) -> str:
    """What changed since the last audit, and what was mended, by name."""
    values = {
        "added": len(difference.added),
        "recurring": len(difference.recurring),
        "mended": len(difference.mended),
        "standing": len(difference.standing),
    }
    words = _("%(added)d new, %(recurring)d recurring, %(mended)d fixed, %(standing)d still open.")
    fixed, recurring = _("Fixed: %(finding)s"), _("Recurring: %(finding)s")
    lines = ["- " + fixed % {"finding": one.observation} for one in difference.mended[:5]]
    lines += ["- " + recurring % {"finding": one.observation} for one in difference.recurring[:5]]
    return "\n".join([words % values, "", *lines]).rstrip()


def finding_text(number: int, row: Finding, harshness: int) -> str:
    """One finding: what, by which words, a question, what to do."""
    source = _("computed") if row.source == Finding.Source.COMPUTED else _("from the texts")
    labels = [row.area_words, row.get_severity_display(), source]
    if row.status == Finding.Status.RECURRING:
        labels.append(_("recurring"))
    would = ""
    if row.recommendation:
        would = str(_WOULD[harshness]) % {"what": row.recommendation.rstrip(". ")}
    head = f"{number}. **{', '.join(labels)}.** {row.observation}{_quotes(row.quotes)}"
    return "\n".join([head, "", f"   {row.question} {would}".rstrip()])


def _quotes(quotes: Sequence[str]) -> str:
    plain = [" ".join(quote.split()).replace("*", "") for quote in quotes]
    return "".join(f" *{quoted(quote)}*" for quote in plain if quote)


def closing(standing: Sequence[Finding], name: str) -> str:
    """How to go on."""
    if not standing:
        return _("Audit again when something has changed.")
    return _(
        "None of these findings stops **%(name)s**. Select below what to act on: it becomes "
        "changes for your approval. Answer or dismiss the others. Which one do you want to "
        "talk about?"
    ) % {"name": name}
