"""The interview's side of a talk by rules: what to ask next, and the few words between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from projects.portfolio.builder import topics
from projects.portfolio.builder.state import BuilderState
from projects.portfolio.models import Entry, EntryImage
from projects.portfolio.spans import told as span

LEAST_STORY: Final = 3


def next_question(entry: Entry, state: BuilderState) -> str:
    """The next question, remembered as asked; empty when there is none, or none is wanted."""
    state.open = ""
    if state.is_quiet:
        return ""
    passed = [*state.skipped, *state.asked]
    name = topics.next_topic(entry, state.told, passed)
    if not name:
        return ""
    also = []
    if name == "when" and "location" in topics.missing(entry, state.told):
        also = [] if "location" in passed else ["location"]
    elif name == "location" and "when" in state.asked:
        also = ["when"]
    asks(state, name)
    return topics.question(name, entry, also=also)


def asks(state: BuilderState, name: str) -> None:
    """Remembers that a topic is being asked about."""
    state.open = name
    state.asked[name] = state.asked.get(name, 0) + 1


def probe(state: BuilderState, topic: str) -> str:
    """The one further question about a topic with a thin answer; empty when it was put."""
    text = topics.probe(topic)
    if state.is_quiet or not text or state.asked.get(topic, 0) >= topics.MOST_ASKED:
        return ""
    asks(state, topic)
    return text


def at_the_end(entry: Entry, images: Sequence[EntryImage], state: BuilderState) -> str:
    """What to do when nothing is left to ask; said once for each state of things, then briefly."""
    state.open = ""
    if entry.status == Entry.Status.PUBLISHED:
        key, text = "end:public", _("Everything you changed is on the public page.")
    elif not images:
        key = "end:pictures"
        text = _("That is the story. Now it needs pictures: the first becomes the hero.")
    elif any(not one.alt for one in images):
        key = "end:words"
        text = _("Some pictures have no words yet. Say for instance “picture 1 shows …”.")
    else:
        key = "end:steps"
        text = _("I have no further questions. Shall I write the draft, lay it out, or check it?")
    state.asked[key] = state.asked.get(key, 0) + 1
    return text if state.asked[key] == 1 else ""


def opening(entry: Entry, state: BuilderState) -> str:
    """The first words of a conversation."""
    if not (entry.title or entry.blocks or entry.summary):
        asks(state, "what")
        head = _(
            "Let us put a piece of your work on a page: I ask, you tell, the page grows beside us."
        )
        return f"{head}\n\n{topics.question('what', entry)}"
    head = _("This is about **%(title)s**.") % {"title": entry.title or _("your entry")}
    follow = next_question(entry, state)
    gaps = topics.missing(entry, state.told)
    if not follow:
        return f"{head} {_('Tell me what to change, or say “check it”.')}"
    known = _("I have read what is there and have %(n)d questions at most.") % {"n": len(gaps)}
    if len(gaps) == 1:
        known = _("I have read what is there and have one question.")
    return f"{head} {known}\n\n{follow}"


def skipped(state: BuilderState) -> str:
    """A word for a question that was passed over."""
    words = (_("All right, we leave that out."), _("Fine, on to the next."), _("No matter."))
    return words[len(state.skipped) % len(words)]


def status(entry: Entry, images: Sequence[EntryImage], state: BuilderState) -> str:
    """What there is so far, and what is not."""
    made = [*entry.materials, *entry.techniques, *entry.tech_stack, *entry.languages]
    rows = [
        (_("Title"), entry.title), (_("Type"), entry.entry_type), (_("Summary"), entry.summary),
        (_("Made for"), entry.organization), (_("Your part"), entry.role),
        (_("When"), span(entry.started, entry.ended)), (_("Where"), entry.location),
        (_("Made with"), ", ".join(made)),
        (_("Tags"), ", ".join(entry.tags)),
    ]  # fmt: skip
    lines = [f"- {label}: {value}" for label, value in rows if value]
    if not lines and not entry.blocks:
        return _("Nothing yet. Tell me what you made.")
    headings = [str(one["text"]) for one in entry.blocks if one["type"] == "heading"]
    if headings:
        lines.append("- " + _("Story: %(parts)s") % {"parts": ", ".join(headings)})
    lines.append("- " + _("Pictures: %(n)d") % {"n": len(images)})
    gaps = [str(topics.NAMES[one]) for one in topics.missing(entry, state.told)]
    rest = _("Not told yet: %(what)s.") % {"what": ", ".join(gaps)} if gaps else ""
    return "\n\n".join(filter(None, ["\n".join(lines), rest]))


def abilities() -> str:
    """What can be said here."""
    return _(
        "Just tell me about the work, or say for instance:\n\n"
        "- “change the title to …”, “add the tags …”, “oak, not pine”\n"
        "- “add a quote”, “add a section called …”, “delete the gallery”\n"
        "- “make the second picture the hero”, “picture 2 shows …”\n"
        "- “write the draft”, “lay it out”, “check it”, “publish it”, “undo that”"
    )


def not_understood(state: BuilderState) -> str:
    """For a question that rules cannot answer."""
    sorry = _("I did not find anything in that which I can do without a language model.")
    return f"{sorry}\n\n{abilities()}" if state.turns < 3 else sorry
