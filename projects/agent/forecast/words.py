"""What the forecasting conversation says by itself: opening, questions, the forecast, variants."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from projects.agent.create.questions import varied
from projects.agent.forecast.reading import Said
from projects.forecasting.inputs import Inputs
from projects.forecasting.pages import NAMES
from projects.forecasting.results import Declined, Result
from projects.forecasting.telling import Scenario, Told, chance_line
from projects.forecasting.variants import (
    Compared,
    Drop,
    Hands,
    More,
    Slip,
    Sureness,
    Variant,
    Wait,
)
from projects.forecasting.wording import day_words, days_words, listed, percent, short_day


def opening(name: str, seed: str) -> str:
    """Asks for the situation."""
    told = {"name": name}
    return varied(
        (
            _("Let us look at how **%(name)s** may unfold. Which situation or decision is it that "
              "you would like to think through?") % told,
            _("I can work out when **%(name)s** could be done, and what that hangs on. What is on "
              "your mind: a date, a decision, something that may go wrong?") % told,
            _("Let us play **%(name)s** forward a few thousand times. Which situation shall I look "
              "at, or which decision do you have to take?") % told,
        ),
        seed,
    )  # fmt: skip


def assumptions_asked(inputs: Inputs) -> str:
    """The one question before the computation: who works on it, and how sure the estimates are."""
    parts = [
        _("Before I compute: how many people work on it, and for how much of their week? And how "
          "sure are you of the estimates?")
    ]  # fmt: skip
    if inputs.hands == 1:
        parts.append(
            _("Without a word from you I take one person, all day, and ordinary estimates; just "
              "say “yes” to that.")
        )  # fmt: skip
    without = [one.title for one in inputs.unestimated]
    if without:
        words = ngettext(
            "%(tasks)s has no estimate; you can give me a range, such as “3 to 5 days”.",
            "%(tasks)s have no estimate; you can give me ranges, such as “3 to 5 days”.",
            len(without),
        )
        parts.append(words % {"tasks": listed(without)})
    return "\n\n".join([parts[0], " ".join(parts[1:])]).strip()


def declined(found: Declined, name: str) -> str:
    """Why there is no forecast, and what would make one possible."""
    if found.is_empty:
        return _(
            "There is nothing to forecast for %(name)s: no task is open. Add the tasks that are "
            "left, with estimates or dates, and come back."
        ) % {"name": name}
    known = _("No open task has a date or an estimate")
    if found.known:
        words = ngettext(
            "Only %(n)d open task has a date or an estimate",
            "Only %(n)d open tasks have a date or an estimate",
            found.known,
        )
        known = words % {"n": found.known}
    parts = [
        _("%(known)s; I need at least %(needed)d to say anything honest about the finish.")
        % {"known": known, "needed": found.needed}
    ]
    is_small = found.known + len(found.unestimated) < found.needed
    if found.unestimated:
        parts.append(
            _("Without an estimate: %(tasks)s.") % {"tasks": listed(list(found.unestimated), 6)}
        )
    if is_small:
        parts.append(
            _("The project is too small for it as it stands: add the tasks that are still missing, "
              "with an estimate each, and ask me again.")
        )  # fmt: skip
    elif found.unestimated:
        parts.append(
            _("Tell me here how long they take, such as “%(first)s takes 3 to 5 days” or "
              "“everything else takes 2 days”, or put it down on the tasks.")
            % {"first": found.unestimated[0]}
        )  # fmt: skip
    return " ".join(parts)


def declined_again(found: Declined, name: str) -> str:
    """The same in short, when nothing came that would help."""
    if not found.unestimated or found.known + len(found.unestimated) < found.needed:
        return declined(found, name)
    return _(
        "I still need estimates for it. Just one at a time: how many days does “%(first)s” take, "
        "at least and at most?"
    ) % {"first": found.unestimated[0]}


_CLOSING = (
    gettext_lazy("Good. The forecast stays with the project, and is judged once it is done."),
    gettext_lazy("All right. Come back when something has moved, and I play it forward again."),
)


def ended(seed: str) -> str:
    """The person has nothing more to say."""
    return varied(_CLOSING, seed)


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
        "Ask “what if” to see it move: a task that slips two weeks, one more person, something "
        "left out. Nothing of that changes the project."
    )


def variant_title(variant: Variant, inputs: Inputs) -> str:
    """A variant as the condition that it is: “Build the sheet” takes 10 working days longer."""
    match variant:
        case Slip(task, days):
            told = {"task": _title(inputs, task), "days": days_words(abs(days))}
            longer, shorter = (
                _("“%(task)s” takes %(days)s longer"),
                _("“%(task)s” takes %(days)s less"),
            )
            return (longer if days > 0 else shorter) % told
        case Wait(task, day):
            told = {"task": _title(inputs, task), "day": short_day(day)}
            return _("“%(task)s” cannot begin before %(day)s") % told
        case Hands(more):
            return _hands_title(more)
        case Drop(task):
            return _("“%(task)s” is left out") % {"task": _title(inputs, task)}
        case More(title, days):
            told = {"title": title, "days": days_words(days)}
            return _("%(days)s more have to be done (%(title)s)") % told
        case Sureness(spread):
            surer = _("the estimates are better than usual")
            return surer if spread == "sure" else _("the estimates are worse than usual")


def _hands_title(more: float) -> str:
    number = max(1, round(abs(more)))
    if more >= 0:
        words = ngettext("one more person works on it", "%(n)d more people work on it", number)
    else:
        words = ngettext("one person less works on it", "%(n)d people less work on it", number)
    return words % {"n": number}


def _title(inputs: Inputs, key: str) -> str:
    task = inputs.task(key)
    return task.title if task else key


def moved_words(found: Compared) -> str:
    """“10 working days later”."""
    if not found.moved_days:
        return _("no later and no earlier")
    told = {"days": days_words(abs(found.moved_days))}
    return (_("%(days)s later") if found.moved_days > 0 else _("%(days)s earlier")) % told


def variant_text(found: Compared, base: Result, inputs: Inputs) -> str:
    """What a variant does to the middle day and the chance."""
    title = variant_title(found.variant, inputs)
    told = {
        "title": title,
        "day": day_words(found.result.realistic),
        "moved": moved_words(found),
    }
    parts = [_("**If %(title)s**, the middle moves to %(day)s: %(moved)s.") % told]
    if found.result.on_time is not None and base.on_time is not None:
        words = _("By the end date it is then done in %(new)d of 100 runs instead of %(old)d.")
        chances = {"new": percent(found.result.on_time), "old": percent(base.on_time)}
        parts.append(words % chances)
    if not found.moved_days and isinstance(found.variant, Slip | Wait | Drop):
        parts.append(_("Other work takes longer anyway; this task has room."))
    if isinstance(found.variant, Hands) and found.variant.more > 0 and not found.moved_days:
        parts.append(_("What is left is a chain in which each task waits for the one before."))
    return " ".join(parts)


def variant_json(found: Compared, inputs: Inputs) -> dict[str, object]:
    """A variant as it is kept with its forecast."""
    title = variant_title(found.variant, inputs)
    chance = found.result.on_time
    return {
        "title": title[:1].upper() + title[1:],
        "kind": found.variant.kind,
        "realistic": found.result.realistic.isoformat(),
        "realistic_words": short_day(found.result.realistic),
        "moved_days": found.moved_days,
        "moved_words": moved_words(found),
        "on_time": None if chance is None else percent(chance),
    }


def not_understood(said: Said, titles: Sequence[str]) -> str:
    """Says which variants can be tried."""
    lead = _("I could not tell what that would change.") if said.unclear else _("Noted.")
    example = titles[0] if titles else _("the first task")
    return _(
        "%(lead)s Try it with a task and a length of time, such as “what if “%(task)s” slips two "
        "weeks”, with people (“what if one more person helps”), or say “forecast again” after "
        "something has changed."
    ) % {"lead": lead, "task": example}


def gone() -> str:
    """The project is not there any more."""
    return _(
        "The project of this conversation is not there any more, so there is nothing to forecast."
    )
