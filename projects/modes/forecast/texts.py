"""What the forecasting conversation writes by itself: the forecast, assumptions, branches."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from futura.percent import whole_percent
from projects.forecasting.inputs import Inputs
from projects.forecasting.pages import NAMES
from projects.forecasting.results import Result
from projects.forecasting.telling import Scenario, Told, chance_line
from projects.forecasting.variants import Compared, Variant
from projects.forecasting.wording import (
    branch_title,
    day_words,
    moved_words,
    sentence,
    short_day,
    title_of,
)


def forecast_text(inputs: Inputs, result: Result, told: Told) -> str:
    """The whole forecast as Markdown."""
    parts = [headline(inputs, result), *(scenario_text(one) for one in told.scenarios)]
    if told.decision_points:
        lines = [f"- **{short_day(one.day)}**: {one.what}" for one in told.decision_points]
        parts.append("\n".join(["**" + _("Decision dates") + "**", "", *lines]))
    if told.recommendations:
        lines = [f"- {one}" for one in told.recommendations]
        parts.append("\n".join(["**" + _("Recommendations") + "**", "", *lines]))
    parts.append(_("Assumed: %(all)s") % {"all": " ".join(told.assumptions)})
    return "\n\n".join(parts)


def headline(inputs: Inputs, result: Result) -> str:
    """The middle day, and the chance to meet the end date."""
    words = _("Done by **%(day)s** in half of the runs.") % {"day": day_words(result.realistic)}
    return " ".join(filter(None, [words, chance_line(inputs, result)]))


def scenario_text(one: Scenario) -> str:
    """One of the three: name and likelihood, outcome, key factors, warning signs."""
    likelihood = _("done by then in %(percent)d of 100 runs") % {"percent": one.percent}
    return "\n".join(
        [
            f"**{NAMES[one.name]}** ({likelihood})",
            "",
            one.outcome,
            "",
            "- " + _("Key factors") + ": " + " ".join(one.key_factors),
            "- " + _("Warning signs") + ": " + " ".join(one.warning_signs),
        ]
    )


def invitation() -> str:
    """What can be asked next."""
    return _(
        "Which scenario do you want to try? Describe what would be different, or use the "
        "form below: estimates, hours a week, absences, a deadline. The project itself does "
        "not change."
    )


def counted(assumptions: Sequence[Variant], inputs: Inputs) -> str:
    """What counts from now on."""
    lines = [f"- {sentence(title_of(one, inputs))}" for one in assumptions]
    return "\n".join(["**" + _("Now used in the forecast") + "**", "", *lines])


def moved(before: Result, result: Result) -> str:
    """How the middle day changed since the forecast before."""
    if before.realistic == result.realistic:
        return _("The realistic date does not change.")
    values = {"before": short_day(before.realistic), "now": short_day(result.realistic)}
    return _("The realistic date moves from %(before)s to %(now)s.") % values


def branch_text(branch: Compared, variants: Sequence[Variant], base: Result, inputs: Inputs) -> str:
    """What a branch does to the middle day and the chance."""
    values = {
        "title": branch_title(variants, inputs),
        "day": day_words(branch.result.realistic),
        "moved": moved_words(branch.moved_days),
    }
    parts = [_("**If %(title)s**, the realistic date moves to %(day)s: %(moved)s.") % values]
    if branch.result.on_time is not None and base.on_time is not None:
        words = _("By the end date it is then done in %(new)d of 100 runs instead of %(old)d.")
        chances = {"new": whole_percent(branch.result.on_time), "old": whole_percent(base.on_time)}
        parts.append(words % chances)
    if not branch.moved_days and any(one.kind in {"slip", "wait", "drop"} for one in variants):
        parts.append(_("Other work takes longer anyway."))
    return " ".join(parts)
