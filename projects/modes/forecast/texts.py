"""What the forecasting conversation writes by itself: the forecast, assumptions, branches."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.forecasting.inputs import Inputs
from projects.forecasting.pages import NAMES
from projects.forecasting.results import Declined, Result
from projects.forecasting.telling import Scenario, Told, chance_line
from projects.forecasting.variants import (
    REST,
    Away,
    Compared,
    Deadline,
    Drop,
    Hands,
    Hours,
    More,
    Remaining,
    Slip,
    Sureness,
    Takes,
    Team,
    Variant,
    Wait,
)
from projects.forecasting.wording import day_words, days_words, listed, percent, short_day


def declined(refusal: Declined, name: str) -> str:
    """Why there is no forecast, and what would make one possible."""
    if refusal.is_empty:
        return _(
            "There is nothing to forecast for %(name)s: no to-do is open. Add what is left to do, "
            "with estimates or dates, and come back."
        ) % {"name": name}
    known = _("No open to-do has a date or an estimate")
    if refusal.known:
        known = ngettext(
            "Only %(n)d open to-do has a date or an estimate",
            "Only %(n)d open to-dos have a date or an estimate",
            refusal.known,
        ) % {"n": refusal.known}
    parts = [_("%(known)s; a forecast needs at least %(needed)d.")]
    if refusal.unestimated:
        parts.append(_("Without an estimate: %(tasks)s."))
    if refusal.known + len(refusal.unestimated) < refusal.needed:
        parts.append(_("Add the to-dos that are still missing, with an estimate each."))
    elif refusal.unestimated:
        parts.append(_("Give estimates below, or on the to-dos themselves."))
    values = {
        "known": known,
        "needed": refusal.needed,
        "tasks": listed(list(refusal.unestimated), 6),
    }
    return " ".join(parts) % values


def forecast_text(inputs: Inputs, result: Result, told: Told) -> str:
    """The whole forecast as Markdown."""
    parts = [headline(inputs, result), *(scenario_text(one) for one in told.scenarios)]
    if told.decision_points:
        lines = [f"- **{short_day(one.day)}**: {one.what}" for one in told.decision_points]
        parts.append("\n".join([f"**{_('When to look, and what to decide')}**", "", *lines]))
    if told.recommendations:
        lines = [f"- {one}" for one in told.recommendations]
        parts.append("\n".join([f"**{_('What would help')}**", "", *lines]))
    parts.append(_("Assumed: %(all)s") % {"all": " ".join(told.assumptions)})
    return "\n\n".join(parts)


def headline(inputs: Inputs, result: Result) -> str:
    """The middle day, and the chance to meet the end date."""
    words = _("As likely before as after **%(day)s**.") % {"day": day_words(result.realistic)}
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
            f"- {_('What makes it so')}: {' '.join(one.key_factors)}",
            f"- {_('Warning signs')}: {' '.join(one.warning_signs)}",
        ]
    )


def invitation() -> str:
    """What can be asked next."""
    return _(
        "Which decision do you want to try out? Say what is different, or use the form below: how "
        "long something takes, hours a week, days away, a deadline. The project itself stays as "
        "it is."
    )


def counted(assumptions: Sequence[Variant], inputs: Inputs) -> str:
    """What counts from now on."""
    lines = [f"- {sentence(title_of(one, inputs))}" for one in assumptions]
    return "\n".join([f"**{_('Counted from now on')}**", "", *lines])


def moved(before: Result, result: Result) -> str:
    """How the middle day changed since the forecast before."""
    if before.realistic == result.realistic:
        return _("The middle day stays where it was.")
    values = {"before": short_day(before.realistic), "now": short_day(result.realistic)}
    return _("The middle day moves from %(before)s to %(now)s.") % values


def sentence(text: str) -> str:
    """With a capital at the beginning."""
    return text[:1].upper() + text[1:]


def title_of(variant: Variant, inputs: Inputs) -> str:
    """A change as the condition that it is: “Build the sheet” takes 10 working days longer."""
    task = _title(inputs, getattr(variant, "task", ""))
    match variant:
        case Takes(_task, low, high):
            return _("%(task)s takes %(days)s") % {"task": task, "days": range_words(low, high)}
        case Remaining(_task, low, high):
            return _("%(days)s are left of %(task)s") % {
                "task": task,
                "days": range_words(low, high),
            }
        case Team(people):
            return (
                _("%(n)s people work on it") % {"n": f"{people:g}"}
                if people != 1
                else _("one person works on it")
            )
        case Hours(hours):
            return _("%(n)s hours a week for it") % {"n": f"{hours:g}"}
        case Away(first, last, people):
            values = {"first": short_day(first), "last": short_day(last), "n": f"{people:g}"}
            if people == 1:
                return _("one person is away from %(first)s to %(last)s") % values
            return _("%(n)s people are away from %(first)s to %(last)s") % values
        case Deadline(day, key):
            values = {"task": task, "day": short_day(day)}
            words = _("%(task)s is due on %(day)s") if key else _("everything is due on %(day)s")
            return words % values
        case Slip(_task, days):
            words = (
                _("%(task)s takes %(days)s longer")
                if days > 0
                else _("%(task)s takes %(days)s less")
            )
            return words % {"task": task, "days": days_words(abs(days))}
        case Wait(_task, day):
            values = {"task": task, "day": short_day(day)}
            return _("%(task)s cannot begin before %(day)s") % values
        case Hands(more):
            return _hands_title(more)
        case Drop():
            return _("%(task)s is left out") % {"task": task}
        case More(title, days):
            values = {"title": title, "days": days_words(days)}
            return _("%(days)s more have to be done (%(title)s)") % values
        case Sureness(spread):
            by_spread = {
                "sure": _("the estimates are better than usual"),
                "usual": _("the estimates are as good as usual"),
                "unsure": _("the estimates are worse than usual"),
            }
            return by_spread[spread]


def range_words(low: float, high: float) -> str:
    """“10 to 20 days”, “2 days”."""
    if low == high:
        return ngettext("%(n)s day", "%(n)s days", round(high)) % {"n": f"{high:g}"}
    return _("%(low)s to %(high)s days") % {"low": f"{low:g}", "high": f"{high:g}"}


def _hands_title(more: float) -> str:
    number = max(1, round(abs(more)))
    if more >= 0:
        words = ngettext("one more person works on it", "%(n)d more people work on it", number)
    else:
        words = ngettext("one person less works on it", "%(n)d people less work on it", number)
    return words % {"n": number}


def _title(inputs: Inputs, key: str) -> str:
    if key == REST:
        return _("everything without an estimate")
    task = inputs.task(key)
    return f"“{task.title}”" if task else key


def branch_title(variants: Sequence[Variant], inputs: Inputs) -> str:
    """All conditions of a branch."""
    return ", ".join(title_of(one, inputs) for one in variants)


def moved_words(branch: Compared) -> str:
    """“10 working days later”."""
    if not branch.moved_days:
        return _("no later and no earlier")
    values = {"days": days_words(abs(branch.moved_days))}
    return (_("%(days)s later") if branch.moved_days > 0 else _("%(days)s earlier")) % values


def branch_text(branch: Compared, base: Result, inputs: Inputs) -> str:
    """What a branch does to the middle day and the chance."""
    values = {
        "title": branch_title(branch.variants, inputs),
        "day": day_words(branch.result.realistic),
        "moved": moved_words(branch),
    }
    parts = [_("**If %(title)s**, the middle moves to %(day)s: %(moved)s.") % values]
    if branch.result.on_time is not None and base.on_time is not None:
        words = _("By the end date it is then done in %(new)d of 100 runs instead of %(old)d.")
        chances = {"new": percent(branch.result.on_time), "old": percent(base.on_time)}
        parts.append(words % chances)
    if not branch.moved_days and any(isinstance(o, Slip | Wait | Drop) for o in branch.variants):
        parts.append(_("Other work takes longer anyway."))
    return " ".join(parts)


def branch_json(branch: Compared, inputs: Inputs) -> dict[str, object]:
    """A branch as it is stored with its forecast."""
    chance, result = branch.result.on_time, branch.result
    return {
        "title": sentence(branch_title(branch.variants, inputs)),
        "kind": "+".join(one.kind for one in branch.variants),
        "optimistic": result.optimistic.isoformat(),
        "realistic": result.realistic.isoformat(),
        "pessimistic": result.pessimistic.isoformat(),
        "realistic_words": short_day(result.realistic),
        "moved_days": branch.moved_days,
        "moved_words": moved_words(branch),
        "on_time": None if chance is None else percent(chance),
    }


def gone() -> str:
    """The project is not there any more."""
    return _(
        "The project of this conversation is not there any more, so there is nothing to forecast."
    )
