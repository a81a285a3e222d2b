"""What the interview asks about, in which order, and what of it an entry has already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.portfolio.builder import sections
from projects.portfolio.builder.understanding import lexicon
from projects.portfolio.models import Entry


@dataclass(frozen=True)
class Topic:
    """`asks` is the question, `probes` the one further question when an answer says too little."""

    name: str
    asks: str | Promise
    probes: str | Promise = ""
    fields: tuple[str, ...] = ()


TOPICS: Final[tuple[Topic, ...]] = (
    Topic(
        "what",
        gettext_lazy("What did you make? Tell it as you would to a friend."),
        gettext_lazy("What is it exactly, and what can one do with it?"),
        ("summary",),
    ),
    Topic("whom", gettext_lazy("Who was it for?"), fields=("organization",)),
    Topic(
        "problem",
        gettext_lazy("How were things before, and what needed to change?"),
        gettext_lazy("What made that a problem, and for whom?"),
    ),
    Topic(
        "role",
        gettext_lazy("What was your own part in it, and who else worked on it?"),
        fields=("role",),
    ),
    Topic(
        "process",
        gettext_lazy("How did you go about it? Which decision mattered most?"),
        gettext_lazy("Which step was the hardest, and how did you solve it?"),
    ),
    Topic(
        "materials",
        gettext_lazy("What did you make it with: materials, techniques, tools?"),
        fields=("materials", "techniques", "tech_stack", "languages"),
    ),
    Topic(
        "outcome",
        gettext_lazy("What came of it? Numbers are welcome, and so is what people said."),
        gettext_lazy("How can one tell that it worked?"),
    ),
    Topic("when", gettext_lazy("When was that?"), fields=("started",)),
    Topic("location", gettext_lazy("Where is it, or where was it made?"), fields=("location",)),
    Topic(
        "type",
        gettext_lazy("What would you call this kind of work, in two or three words?"),
        fields=("entry_type",),
    ),
    Topic("title", gettext_lazy("What shall the page be called?"), fields=("title",)),
)
BY_NAME: Final[Mapping[str, Topic]] = {one.name: one for one in TOPICS}
MADE_WITH: Final = ("materials", "techniques", "tech_stack", "languages")
FEW: Final = 3
MOST_ASKED: Final = 2
"""Times that a topic is asked about: once, and one probe."""


def covered(entry: Entry, told: Mapping[str, str]) -> set[str]:
    """Topics that the entry says something of; the database decides, `told` adds."""
    found = {one.name for one in TOPICS if any(getattr(entry, name) for name in one.fields)}
    if sum(len(getattr(entry, name)) for name in MADE_WITH) < FEW and not told.get("materials"):
        found.discard("materials")  # named in passing; there may be more
    found |= {name for name in sections.STORY if sections.text_about(entry.blocks, name)}
    if entry.impact:
        found.add("outcome")
    if entry.context == Entry.Context.PERSONAL:
        found.add("whom")
    return found | {name for name in ("whom", "role") if told.get(name)}


def next_topic(entry: Entry, told: Mapping[str, str], passed: Sequence[str]) -> str:
    """What to ask about now; empty when nothing is left. `passed` are those asked or skipped."""
    done = covered(entry, told) | set(passed)
    return next((one.name for one in TOPICS if one.name not in done), "")


def missing(entry: Entry, told: Mapping[str, str]) -> list[str]:
    """Topics that nothing is known of, in order."""
    done = covered(entry, told)
    return [one.name for one in TOPICS if one.name not in done]


def question(name: str, entry: Entry, *, also: Sequence[str] = ()) -> str:
    """The question about a topic, with what is known in it; `also` is asked along."""
    if name == "problem" and entry.organization and entry.context != Entry.Context.ACADEMIC:
        told = _("How were things before, and what needed to change for %(whom)s?")
        return told % {"whom": within(entry.organization)}
    if name == "location" and "when" in also:
        return _("And where was it made, or where is it?")
    if name == "when" and "location" in also:
        return _("When was that, and where?")
    return str(BY_NAME[name].asks)


def within(name: str) -> str:
    """A name inside a sentence: “City library” is “the city library”, “Nordlys AS” stays."""
    words = name.split(",", maxsplit=1)[0].split()
    if words[0].casefold() in _OWNERS:
        return f"{name[:1].lower()}{name[1:]}"
    if lexicon.is_one("clients", words[0]) or (len(words) > 1 and words[0].casefold() in _PLAIN):
        return f"the {name[:1].lower()}{name[1:]}"
    if len(words) > 1 and words[-1][:1].islower() and lexicon.is_one("clients", words[-1]):
        return f"the {name}"
    return name


_OWNERS: Final = frozenset("my our their his her two three four five some".split())
_PLAIN: Final = frozenset("small local young old new public large national regional".split())


def probe(name: str) -> str:
    """The one further question about a topic; empty when there is none."""
    return str(BY_NAME[name].probes)


NAMES: Final[Mapping[str, str | Promise]] = {
    "what": gettext_lazy("what it is"),
    "whom": gettext_lazy("whom it was for"),
    "problem": gettext_lazy("how things were before"),
    "role": gettext_lazy("your part"),
    "process": gettext_lazy("how you went about it"),
    "materials": gettext_lazy("what it is made with"),
    "outcome": gettext_lazy("what came of it"),
    "when": gettext_lazy("when it was"),
    "location": gettext_lazy("where it was"),
    "type": gettext_lazy("what kind of work it is"),
    "title": gettext_lazy("what it is called"),
}
