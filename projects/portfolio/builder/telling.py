"""What came of calls in words for the person: only what rows and the ledger show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from projects.portfolio import spans
from projects.portfolio.builder import calls
from projects.portfolio.builder.outcomes import (
    Checked,
    Outcome,
    Proposed,
    Shown,
    TakenBack,
    Unchanged,
    Written,
)

NAMES: Final[Mapping[str, str | Promise]] = {
    "title": gettext_lazy("title"),
    "entry_type": gettext_lazy("type"),
    "location": gettext_lazy("place"),
    "summary": gettext_lazy("summary"),
    "description": gettext_lazy("description"),
    "impact": gettext_lazy("impact"),
    "size_or_scope": gettext_lazy("size"),
    "role": gettext_lazy("your part"),
    "organization": gettext_lazy("made for"),
    "context": gettext_lazy("context"),
    "started": gettext_lazy("when"),
    "ended": gettext_lazy("finished"),
    "repository_url": gettext_lazy("code"),
    "live_url": gettext_lazy("link"),
    "seo_title": gettext_lazy("title for search engines"),
    "seo_description": gettext_lazy("text for search engines"),
    "tags": gettext_lazy("tags"),
    "materials": gettext_lazy("materials"),
    "techniques": gettext_lazy("techniques"),
    "tech_stack": gettext_lazy("technologies"),
    "languages": gettext_lazy("languages"),
    "alt": gettext_lazy("alternative text"),
    "caption": gettext_lazy("caption"),
}
CONTEXTS: Final[Mapping[str, str | Promise]] = {
    "personal": gettext_lazy("for yourself"),
    "work": gettext_lazy("at work"),
    "oss": gettext_lazy("open source"),
    "academic": gettext_lazy("study or research"),
    "other": gettext_lazy("something else"),
}
STORY: Final[Mapping[str, str | Promise]] = {
    "what": gettext_lazy("the opening"),
    "problem": gettext_lazy("“The starting point”"),
    "process": gettext_lazy("“How it was done”"),
    "outcome": gettext_lazy("“What came of it”"),
}
_QUIET: Final = frozenset({"blocks", "summary", "impact"})
_SHORT: Final = 80


def bold(text: str) -> str:
    """A value as Markdown that its own marks cannot change."""
    line = " ".join(text.split())
    line = line.removesuffix(".") if not line.endswith("..") else line
    line = line if len(line) <= _SHORT else line[: _SHORT - 1].rstrip() + "…"
    return "**" + "".join(f"\\{one}" if one in "\\*_`[]<>#|~" else one for one in line) + "**"


def sentences(outcomes: Sequence[Outcome]) -> str:
    """What came of several calls, a paragraph each."""
    has_news = any(isinstance(one, Written) for one in outcomes)
    told = [one for one in outcomes if not (has_news and isinstance(one, Unchanged))]
    return "\n\n".join(filter(None, (sentence(one) for one in told)))


def sentence(outcome: Outcome) -> str:
    """What came of one call; empty when its place in the conversation shows it."""
    match outcome:
        case Written():
            return _written(outcome)
        case Unchanged():
            return _unchanged(outcome)
        case Proposed():
            return _proposed(outcome)
        case Checked():
            return checked(outcome)
        case TakenBack():
            return _taken_back(outcome)
        case Shown():
            return _shown(outcome)


def _written(done: Written) -> str:
    if done.applied.is_waiting:
        return _waiting(done)
    if not done.applied.is_done:
        return _("That did not work: %(why)s") % {"why": done.applied.error}
    match done.call:
        case calls.Extract():
            return noted(done)
        case calls.UpdateField(field=field):
            return _field(field, done)
        case calls.ReorderImages(hero=hero):
            return (
                _("Picture %(n)d is the hero now and stands first.") % {"n": hero} if hero
                else _("The pictures stand in their new order.")
            )  # fmt: skip
        case calls.DescribeImage(image=number):
            return _("Picture %(n)d has its words now.") % {"n": number}
        case calls.UpdateBlocks():
            return _blocks(done.call)
        case calls.Publish(public=public):
            return (
                _("It is public now.") if public else _("It is a draft again; nobody else sees it.")
            )
    return ""


def _waiting(done: Written) -> str:
    if isinstance(done.call, calls.Publish):
        return (
            _("It is ready. Publishing waits for your review under Changes.")
            if done.call.public
            else _("Taking it offline waits for your review under Changes.")
        )
    reasons = " ".join(str(one) for one in done.applied.batch.review_reasons)
    return _("This waits for your review under Changes. %(why)s") % {"why": reasons}


def noted(done: Written) -> str:
    """“Noted: title **…**, made for **…**; added to “How it was done”.”"""
    told = [f"{NAMES[name]} {bold(value)}" for name, value in _values(done.values)]
    parts = []
    if told:
        parts.append(_("Noted: %(what)s.") % {"what": ", ".join(told)})
    story = [str(STORY[one]) for one in done.story if one != "what"]
    if story:
        parts.append(_("Your words stand under %(where)s.") % {"where": listed(story)})
    elif done.story and not told:
        parts.append(_("That opens the page now."))
    return " ".join(parts) or _("Noted.")


def _values(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Fields worth a word, as people read them; a beginning and an end as one."""
    told: list[tuple[str, str]] = []
    for name, value in values.items():
        if name in _QUIET or name not in NAMES or not value or name == "ended":
            continue
        if name == "started":
            told.append((name, spans.told(str(value), str(values.get("ended", "")))))
        elif name == "context":
            told.append((name, str(CONTEXTS.get(str(value), value))))
        else:
            told.append((name, ", ".join(value) if isinstance(value, list) else str(value)))
    if "ended" in values and "started" not in values and values["ended"]:
        told.append(("ended", spans.month(str(values["ended"]))))
    return told


def listed(names: Sequence[str]) -> str:
    """“A, B and C”."""
    if len(names) < 2:
        return "".join(names)
    return _("%(first)s and %(last)s") % {"first": ", ".join(names[:-1]), "last": names[-1]}


def _field(field: str, done: Written) -> str:
    value = done.values.get(field)
    name = str(NAMES[field])
    if not value:
        return _("The %(name)s is empty now.") % {"name": name}
    if field in calls.LISTS:
        said = ", ".join(str(one) for one in value)
        return _("The %(name)s are now: %(value)s.") % {"name": name, "value": bold(said)}
    if field in {"started", "ended"}:
        return _("%(name)s: %(value)s.") % {
            "name": name.capitalize(),
            "value": bold(spans.month(str(value))),
        }
    if field in {"organization", "role"}:
        return _("%(name)s: %(value)s.") % {"name": name.capitalize(), "value": bold(str(value))}
    return _("The %(name)s is now %(value)s.") % {"name": name, "value": bold(str(value))}


def _blocks(call: calls.UpdateBlocks) -> str:
    if call.do == "proposal":
        return _("Done; the page shows it.")
    if call.do == "append":
        kinds = [one.type for one in call.blocks or ()]
        if "heading" in kinds:
            return _("The new section stands at the end.")
        return {
            "quote": _("The quote stands in the story now."),
            "gallery": _("The gallery is there."),
            "before_after": _("Before and after stand side by side."),
            "facts": _("The facts are in their table."),
        }.get(kinds[0] if kinds else "", _("It is added."))
    if call.do == "replace":
        if call.new:
            return _("%(old)s is %(new)s now.") % {
                "old": bold(call.old or ""),
                "new": bold(call.new),
            }
        return _("%(old)s is taken out.") % {"old": bold(call.old or "")}
    return _("That block is gone.") if call.do == "remove" else _("It stands in its new place.")


def _unchanged(outcome: Unchanged) -> str:
    if isinstance(outcome.call, calls.QuickActions):
        return ""
    return {
        "nothing": _("There is nothing to take back.")
        if isinstance(outcome.call, calls.Undo)
        else _("I have no other wording; say it in your own words, and I will take it."),
        "good": _("There is nothing to propose: it stands well as it is."),
        "published": _("It is public already."),
        "draft": _("It is a draft already; nobody else sees it."),
    }.get(outcome.why, _("That stands there already."))


def _proposed(outcome: Proposed) -> str:
    match outcome.proposal.kind:
        case "layout":
            return _("This is how I would lay it out. Nothing is changed yet: shall I?")
        case "section":
            ((field, value),) = outcome.proposal.fields.items()
            return _("How about this %(name)s: %(value)s?") % {
                "name": NAMES[field],
                "value": bold(str(value)),
            }
        case "project":
            return _(
                "This is a first draft from your project. Each sentence shows where it comes from; "
                "nothing is changed yet. Shall I take it?"
            )
    return _("Here is a draft from what you told. Nothing is changed yet: shall I take it?")


def checked(outcome: Checked) -> str:
    """Each rule that fails, then advice."""
    parts = []
    if outcome.failed:
        n = len(outcome.failed)
        head = ngettext(
            "%(n)d thing stands in the way of publishing:",
            "%(n)d things stand in the way of publishing:",
            n,
        ) % {"n": n}
        parts.append("\n".join([head, "", *(f"- {one.message}" for one in outcome.failed)]))
    elif isinstance(outcome.call, calls.Publish):
        return ""
    else:
        parts.append(_("Everything that publishing asks for is there."))
    if outcome.tips:
        parts.append(
            "\n".join([_("It would be better still:"), "", *(f"- {one}" for one in outcome.tips)])
        )
    return "\n\n".join(parts)


def _taken_back(outcome: TakenBack) -> str:
    if outcome.is_changed_since:
        return _(
            "Some of it was changed since, so nothing was taken back. "
            "Its card under Changes lets you choose."
        )
    return _("Taken back: %(what)s.") % {"what": outcome.title or _("the last change")}


def _shown(outcome: Shown) -> str:
    match outcome.call:
        case calls.AskForImages(why=why):
            return why or _(
                "Add your pictures here. Two words each on what is to be seen help those who "
                "cannot see them."
            )
        case calls.Clarify(question=question):
            return question
        case calls.Preview():
            return _("This is how it looks now.")
    return ""
