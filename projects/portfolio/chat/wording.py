"""Answers by rules: first person, in the documents' own words, as long as the evidence is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.portfolio.chat import cues
from projects.portfolio.chat.contract import RetrievalPlan, SelectedEvidenceItem
from projects.portfolio.chat.evidence import Settled
from projects.portfolio.chat.lexicon import INSTRUCTION
from projects.portfolio.chat.queries import Speaker
from projects.portfolio.chat.quotes import month_span
from projects.portfolio.documents import Doc

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
    if found.summary.verdict in {"unknown", "n/a"}:
        return _unknown(found, speaker)
    judged = found.judged
    telling = judged.telling if judged else "quotes"
    special = {"names": _names, "count": _count, "duration": _duration, "value": _value,
               "profile": _profile}  # fmt: skip
    if telling in special:
        return special[telling](plan, found, speaker)
    return _quotes(plan, found, speaker)


def _meta(question: str, speaker: Speaker) -> list[Piece]:
    if INSTRUCTION.search(question):
        return [
            Piece(_("I only answer questions about my portfolio, from what is published here."))
        ]
    if cues.GREETING.match(question):
        low = question.casefold()
        if "thank" in low or "thx" in low or "cheers" in low:
            return [Piece(_("You are welcome. Ask on whenever you like."))]
        if "bye" in low or "see you" in low:
            return [Piece(_("Goodbye, and thank you for looking in."))]
        told = _(
            "Hello, I am %(name)s. Ask me about my projects, my experience or what I work with."
        )
        if speaker.is_group:
            told = _(
                "Hello, this is %(name)s. Ask us about our projects, our experience or our tools."
            )
        return [Piece(told % {"name": speaker.name})]
    if cues.OFF_TOPIC.search(question):
        return [Piece(_("That is outside of this portfolio. Ask me about my work, and I will answer "
                        "from what is published here."))]  # fmt: skip
    return [
        Piece(_("I answer from what is published in this portfolio: projects, resume and profile. ")),
        Piece(_("Each question is read, matching passages are looked up, and only what they say goes "
                "into the answer, with its source beside it. ")),
        Piece(_("This is an automatic chat, and what the portfolio does not say stays open.")),
    ]  # fmt: skip


def _unknown(found: Settled, speaker: Speaker) -> list[Piece]:
    flags = {one.type for one in found.summary.semantic_flags}
    if "needs_clarification" in flags:
        return [Piece(_("I am not sure what you would like to know. Name a project, a job or a tool, "
                        "and I will look it up."))]  # fmt: skip
    told = _("My portfolio does not say anything about that, so I would rather not guess.")
    if speaker.is_group:
        told = _("Our portfolio does not say anything about that, so we would rather not guess.")
    return [Piece(told)]


def _lead(plan: RetrievalPlan, found: Settled) -> list[Piece]:
    """The first sentence, which says the verdict."""
    verdict, confidence = found.summary.verdict, found.summary.confidence
    missing = found.judged.missing if found.judged else ()
    if verdict == "no":
        return [Piece(_("No. "))]
    if verdict == "partial":
        if missing:
            told = _("In part: my portfolio says nothing about %(what)s. ")
            return [Piece(told % {"what": _listed(missing)})]
        if plan.scope == "employment_only":
            return [Piece(_("Not in a job, as far as my portfolio says, but outside of one. "))]
        return [Piece(_("In part. "))]
    if plan.question_type == "binary":
        return [
            Piece(_("Yes. ") if confidence == "high" else _("Yes, as far as my portfolio says. "))
        ]
    return []


def lead_of(verdict: str) -> list[Piece]:
    """The verdict in a word, for an answer whose own first sentence denied it."""
    words = {"yes": _("Yes. "), "no": _("No. "), "partial": _("In part. ")}
    return [Piece(words[verdict])] if verdict in words else []


def _quotes(plan: RetrievalPlan, found: Settled, speaker: Speaker) -> list[Piece]:
    pairs = list(zip(found.summary.selected_evidence, found.documents, strict=True))
    if plan.question_type == "list":
        return _list(plan, found, pairs)
    lead = _lead(plan, found)
    told, before = [], None
    for number, (item, doc) in enumerate(pairs, start=1):
        # what comes from the same place need not name it again
        text = f"“{item.snippet}”" if doc == before else _sentence(item, doc)
        told.append(Piece(text, (number,)))
        before = doc
    return [*lead, *_spaced(told, " " if len(told) < 3 else "\n\n")]


def _list(
    plan: RetrievalPlan, found: Settled, pairs: Sequence[tuple[SelectedEvidenceItem, Doc]]
) -> list[Piece]:
    shown = len(found.cards) if plan.cards_enabled else 0
    lead = _list_lead(found, pairs, shown, is_sample=plan.enumeration == "sample")
    lines = [
        Piece(f"\n- **{_title(doc)}**{_when(doc)}: “{item.snippet}”", (number,))
        for number, (item, doc) in enumerate(pairs, start=1)
    ]
    rest = shown - len({(doc.corpus, doc.doc_id) for _item, doc in pairs})
    more = []
    if rest > 0:
        told = ngettext("\n\n%(n)d more is among the cards below.",
                        "\n\n%(n)d more are among the cards below.", rest)  # fmt: skip
        more = [Piece(told % {"n": rest})]
    return [*_lead(plan, found), *lead, *lines, *more]


def _list_lead(
    found: Settled,
    pairs: Sequence[tuple[SelectedEvidenceItem, Doc]],
    shown: int,
    *,
    is_sample: bool,
) -> list[Piece]:
    items = {(doc.corpus, doc.doc_id) for _item, doc in pairs}
    number = max(len(items), shown)
    if number == 1:
        return [Piece(_("There is one:\n"))]
    if is_sample:
        return [Piece(_("Here are some examples:\n"))]
    facets = {doc.facet for doc in (*found.cards, *found.documents)}
    if facets == {"project"}:
        return [Piece(_("There are %(n)d projects:\n") % {"n": number})]
    if facets == {"experience"}:
        return [Piece(_("There are %(n)d positions:\n") % {"n": number})]
    return [Piece(_("There are %(n)d:\n") % {"n": number})]


def _sentence(item: SelectedEvidenceItem, doc: Doc) -> str:
    """Where it stands, and its words."""
    match doc.facet:
        case "experience":
            place = _("As %(title)s%(when)s: “%(quote)s”")
        case "project":
            place = _("From my project %(title)s%(when)s: “%(quote)s”")
        case "education":
            place = _("From my education, %(title)s%(when)s: “%(quote)s”")
        case "award":
            place = _("From my awards, %(title)s%(when)s: “%(quote)s”")
        case "skill":
            place = _("Among my skills: “%(quote)s”")
        case _:
            place = "“%(quote)s”"
    title = _title(doc).replace(" — ", _(" at "), 1) if doc.facet == "experience" else _title(doc)
    return place % {"title": title, "when": _when(doc), "quote": item.snippet}


def _title(doc: Doc) -> str:
    return doc.title.strip(" .*_") or doc.doc_id


def _when(doc: Doc) -> str:
    span = month_span(doc)
    return f" ({span})" if span else ""


def _names(plan: RetrievalPlan, found: Settled, speaker: Speaker) -> list[Piece]:
    names = list(found.judged.names if found.judged else ())[:NAMES_SHOWN]
    numbers = tuple(range(1, len(found.documents) + 1))
    told = _("My portfolio names %(names)s.") % {"names": _listed(names)}
    return [*_lead(plan, found), Piece(told, numbers)]


def _count(plan: RetrievalPlan, found: Settled, speaker: Speaker) -> list[Piece]:
    judged = found.judged
    names = list(judged.names if judged else ())[:NAMES_SHOWN]
    numbers = tuple(range(1, len(found.documents) + 1))
    told = _("%(n)s: %(names)s.") % {"n": judged.value if judged else "", "names": _listed(names)}
    return [Piece(told, numbers)]


def _duration(plan: RetrievalPlan, found: Settled, speaker: Speaker) -> list[Piece]:
    months = int(found.judged.value or 0) if found.judged else 0
    years, rest = divmod(months, YEAR)
    parts = [ngettext("%(n)d year", "%(n)d years", years) % {"n": years}] if years else []
    if rest or not parts:
        parts.append(ngettext("%(n)d month", "%(n)d months", rest) % {"n": rest})
    told = _("By the dates of my portfolio, %(time)s. ") % {"time": _(" and ").join(parts)}
    spans = [
        Piece(f"\n- {_title(doc)}: {month_span(doc)}", (number,))
        for number, doc in enumerate(found.documents, start=1)
    ]
    return [Piece(told), *spans]


def _value(plan: RetrievalPlan, found: Settled, speaker: Speaker) -> list[Piece]:
    value = found.judged.value if found.judged else ""
    doc = found.documents[0]
    if doc.facet in {"profile", "experience"} and found.summary.selected_evidence[
        0
    ].snippet.startswith("Location"):
        told = _("The place that my portfolio names is %(value)s.") % {"value": value}
    elif doc.facet == "profile":
        told = _("At present: %(value)s.") % {"value": value}
    else:
        told = _("%(title)s: %(value)s.") % {"title": _title(doc), "value": value}
    others = [
        Piece(f"\n- {_title(one)}: {month_span(one)}", (number,))
        for number, one in enumerate(found.documents[1:], start=2)
        if month_span(one)
    ]
    return [*_lead(plan, found), Piece(told, (1,)), *others]


def _profile(plan: RetrievalPlan, found: Settled, speaker: Speaker) -> list[Piece]:
    told = [
        Piece(item.snippet, (number,))
        for number, item in enumerate(found.summary.selected_evidence, start=1)
    ]
    return _spaced(told, " ")


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
