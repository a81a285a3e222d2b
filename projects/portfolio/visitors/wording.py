"""Answers by rules: first person, in the documents' own words, as long as the evidence is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.portfolio import spans
from projects.portfolio.documents import Doc
from projects.portfolio.visitors import cues
from projects.portfolio.visitors.contract import RetrievalPlan, SelectedEvidenceItem
from projects.portfolio.visitors.evidence import Settled
from projects.portfolio.visitors.opening import greeting_of
from projects.portfolio.visitors.quotes import month_span
from projects.portfolio.visitors.speaking import Speaker

NAMES_SHOWN: Final = 24
YEAR: Final = 12


@dataclass(frozen=True)
class Piece:
    """A stretch of an answer; `evidence` are the numbers of the items that it rests on."""

    text: str
    evidence: tuple[int, ...] = ()


def pieces_of(question: str, plan: RetrievalPlan, found: Settled, speaker: Speaker) -> list[Piece]:
    """The answer of a turn, piece by piece; their texts in a row are the message."""
    if plan.question_type == "meta":
        return _meta(question, speaker)
    said = _Answer(plan, found, speaker)
    if found.summary.verdict in {"unknown", "n/a"}:
        return said.unknown()
    ways: Mapping[str, Callable[[], list[Piece]]] = {
        "names": said.named,
        "count": said.counted,
        "duration": said.lasting,
        "value": said.valued,
        "profile": said.plain,
    }
    telling = found.judged.telling if found.judged else "quotes"
    return ways.get(telling, said.quoted)()


def lead_of(verdict: str) -> list[Piece]:
    """The verdict in a word, for an answer whose own first sentence denied it."""
    words = {"yes": _("Yes. "), "no": _("No. "), "partial": _("In part. ")}
    return [Piece(words[verdict])] if verdict in words else []


def when_told(doc: Doc) -> str:
    """When something was, in words: “since February 2022”."""
    ended = "" if doc.is_current else doc.ended
    return spans.told(doc.started, ended, is_current=doc.is_current)


def _meta(question: str, speaker: Speaker) -> list[Piece]:
    if cues.GREETING.match(question):
        low = question.casefold()
        if "thank" in low or "thx" in low or "cheers" in low:
            return [Piece(_("You are welcome. Ask on whenever you like."))]
        if "bye" in low or "see you" in low:
            return [Piece(_("Goodbye, and thank you for looking in."))]
        return [Piece(greeting_of(speaker))]
    if cues.OFF_TOPIC.search(question):
        told = _("That is outside of this portfolio. Ask about the work that is shown here.")
        return [Piece(told)]
    first = _("I answer from what is published in this portfolio: projects, resume and profile. ")
    if speaker.is_group:
        first = _("We answer from what is published here: projects, resume and profile. ")
    second = _(
        "Each question is read, matching passages are looked up, and only what they say goes into "
        "the answer, with its source beside it. "
    )
    third = _("This is an automatic chat, and what the portfolio does not say stays open.")
    return [Piece(first), Piece(second), Piece(third)]


class _Answer:
    """The words for one verdict."""

    def __init__(self, plan: RetrievalPlan, found: Settled, speaker: Speaker) -> None:
        self.plan = plan
        self.found = found
        self.judged = found.judged
        self.is_group = speaker.is_group
        chosen = found.summary.selected_evidence
        self.pairs = list(zip(chosen, found.documents, strict=True))
        self.everything = tuple(range(1, len(self.pairs) + 1))

    def voiced(self, single: str, several: str) -> str:
        """The one wording or the other: one person says I, a group says we."""
        return several if self.is_group else single

    def unknown(self) -> list[Piece]:
        """That nothing is known, without a guess."""
        flags = {one.type for one in self.found.summary.semantic_flags}
        if "needs_clarification" in flags:
            told = _("What would you like to know? Name a project, a job or a tool to look up.")
            return [Piece(told)]
        told = self.voiced(
            _("My portfolio does not say anything about that, so I would rather not guess."),
            _("Our portfolio does not say anything about that, so we would rather not guess."),
        )
        return [Piece(told)]

    def lead(self) -> list[Piece]:
        """The first sentence, which says the verdict."""
        verdict, confidence = self.found.summary.verdict, self.found.summary.confidence
        if verdict == "partial":
            return self._in_part()
        if verdict == "yes" and self.plan.question_type != "binary":
            return []
        if verdict == "yes" and confidence != "high":
            told = self.voiced(
                _("Yes, as far as my portfolio says. "), _("Yes, as far as our portfolio says. ")
            )
            return [Piece(told)]
        return lead_of(verdict)

    def _in_part(self) -> list[Piece]:
        missing = self.judged.missing if self.judged else ()
        if missing:
            told = self.voiced(
                _("In part: my portfolio says nothing about %(what)s. "),
                _("In part: our portfolio says nothing about %(what)s. "),
            )
            return [Piece(told % {"what": _listed(missing)})]
        if self.plan.scope == "employment_only":
            told = self.voiced(
                _("Not in a job, as far as my portfolio says, but outside of one. "),
                _("Not in a job, as far as our portfolio says, but outside of one. "),
            )
            return [Piece(told)]
        return lead_of("partial")

    def quoted(self) -> list[Piece]:
        """Where each thing stands, and its words."""
        if self.plan.question_type == "list":
            return self._list()
        told, before = [], None
        for number, (item, doc) in enumerate(self.pairs, start=1):
            # what comes from the same place need not name it again
            text = f"“{item.snippet}”" if doc == before else self._sentence(item, doc)
            told.append(Piece(text, (number,)))
            before = doc
        return [*self.lead(), *_spaced(told, " " if len(told) < 3 else "\n\n")]

    def _list(self) -> list[Piece]:
        shown = len(self.found.cards) if self.plan.cards_enabled else 0
        items = {(doc.corpus, doc.doc_id) for _item, doc in self.pairs}
        lines = [
            Piece(f"\n- **{_title(doc)}**{_when(doc)}: “{item.snippet}”", (number,))
            for number, (item, doc) in enumerate(self.pairs, start=1)
        ]
        rest, more = shown - len(items), []
        if rest > 0:
            told = ngettext(
                "\n\n%(n)d more is among the cards below.",
                "\n\n%(n)d more are among the cards below.",
                rest,
            )
            more = [Piece(told % {"n": rest})]
        return [*self.lead(), Piece(self._list_lead(max(len(items), shown))), *lines, *more]

    def _list_lead(self, number: int) -> str:
        if number == 1:
            return _("There is one:\n")
        if self.plan.enumeration == "sample":
            return _("Here are some examples:\n")
        facets = {doc.facet for doc in (*self.found.cards, *self.found.documents)}
        if facets == {"project"}:
            return _("There are %(n)d projects:\n") % {"n": number}
        if facets == {"experience"}:
            return _("There are %(n)d positions:\n") % {"n": number}
        return _("There are %(n)d:\n") % {"n": number}

    def _sentence(self, item: SelectedEvidenceItem, doc: Doc) -> str:
        places = {
            "experience": _("As %(title)s%(when)s: “%(quote)s”"),
            "project": self.voiced(
                _("From my project %(title)s%(when)s: “%(quote)s”"),
                _("From our project %(title)s%(when)s: “%(quote)s”"),
            ),
            "education": self.voiced(
                _("From my education, %(title)s%(when)s: “%(quote)s”"),
                _("From our education, %(title)s%(when)s: “%(quote)s”"),
            ),
            "award": self.voiced(
                _("From my awards, %(title)s%(when)s: “%(quote)s”"),
                _("From our awards, %(title)s%(when)s: “%(quote)s”"),
            ),
            "skill": self.voiced(
                _("Among my skills: “%(quote)s”"), _("Among our skills: “%(quote)s”")
            ),
        }
        title = _title(doc)
        if doc.facet == "experience":
            title = title.replace(" — ", _(" at "), 1)
        told = places.get(doc.facet, "“%(quote)s”")
        return told % {"title": title, "when": _when(doc), "quote": item.snippet}

    def named(self) -> list[Piece]:
        """Names of tools, materials and the like in a row."""
        names = list(self.judged.names if self.judged else ())[:NAMES_SHOWN]
        told = self.voiced(
            _("My portfolio names %(names)s."), _("Our portfolio names %(names)s.")
        ) % {"names": _listed(names)}
        return [*self.lead(), Piece(told, self.everything)]

    def counted(self) -> list[Piece]:
        """A number, and what was counted."""
        judged = self.judged
        names = list(judged.names if judged else ())[:NAMES_SHOWN]
        number = judged.value if judged else ""
        return [Piece(_("%(n)s: %(names)s.") % {"n": number, "names": _listed(names)},
                      self.everything)]  # fmt: skip

    def lasting(self) -> list[Piece]:
        """How long, and the dates that it was added up from."""
        months = int(self.judged.value or 0) if self.judged else 0
        years, rest = divmod(months, YEAR)
        parts = [ngettext("%(n)d year", "%(n)d years", years) % {"n": years}] if years else []
        if rest or not parts:
            parts.append(ngettext("%(n)d month", "%(n)d months", rest) % {"n": rest})
        told = self.voiced(
            _("By the dates of my portfolio, %(time)s. "),
            _("By the dates of our portfolio, %(time)s. "),
        ) % {"time": _(" and ").join(parts)}
        return [Piece(told), *self._dated(1)]

    def valued(self) -> list[Piece]:
        """One value: a place, a date, what is done at present."""
        value = self.judged.value if self.judged else ""
        item, doc = self.pairs[0]
        if item.snippet.startswith("Location"):
            told = self.voiced(
                _("My portfolio places me in %(value)s."),
                _("Our portfolio places us in %(value)s."),
            )
        elif doc.facet == "profile":
            told = _("At present: %(value)s.")
        else:
            told = _("%(title)s: %(value)s.")
        if value == month_span(doc):
            value = when_told(doc)
        first = Piece(told % {"title": _title(doc), "value": value}, (1,))
        return [*self.lead(), first, *self._dated(2)]

    def _dated(self, start: int) -> list[Piece]:
        """Titles with their dates, from this piece of evidence on."""
        return [
            Piece(f"\n- {_title(doc)}: {when_told(doc)}", (number,))
            for number, (_item, doc) in enumerate(self.pairs[start - 1 :], start=start)
            if when_told(doc)
        ]

    def plain(self) -> list[Piece]:
        """The words as they stand."""
        told = [Piece(item.snippet, (n,)) for n, (item, _doc) in enumerate(self.pairs, start=1)]
        return [*([] if self.found.summary.verdict != "no" else self._no()), *_spaced(told, " ")]

    def _no(self) -> list[Piece]:
        """“No”, unless the words begin with it."""
        begins = self.pairs[0][0].snippet.casefold().startswith("no")
        return [] if begins else lead_of("no")


def _title(doc: Doc) -> str:
    return doc.title.strip(" .*_") or doc.doc_id


def _when(doc: Doc) -> str:
    told = when_told(doc)
    return f" ({told})" if told else ""


def _spaced(pieces: Sequence[Piece], between: str) -> list[Piece]:
    found: list[Piece] = []
    for number, one in enumerate(pieces):
        if number:
            found.append(Piece(between))
        found.append(one)
    return found


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return _("%(first)s and %(last)s") % {"first": ", ".join(names[:-1]), "last": names[-1]}
