"""What must hold of every answer whatever was asked: quotes stand where they are said to stand,
figures are in what is cited, and cards and text say the same.

Written apart from the stages that see to it, so that one does not judge itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from django.utils import timezone

from projects.portfolio.documents import Doc
from projects.portfolio.visitors.contract import ShownEvidence, TurnResult
from projects.portfolio.visitors.facts import facts_of

CORPUS_OF: Final = {
    "project": "projects", "resume": "resume", "profile": "profile", "fact": "fact",
}  # fmt: skip
_FIGURE: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_BLANKS: Final = re.compile(r"\s+")
_QUOTES: Final = str.maketrans("’‘“”–—\u00a0", "''\"\"-- ")
_NAME_CHARS: Final = 4
_MONTH_CHARS: Final = len("2024-06")
_YEAR: Final = 12

Docs = Mapping[tuple[str, str], Doc]


def citation_faults(turn: TurnResult, docs: Docs, question: str) -> list[str]:
    """Evidence that is not retrieved, quotes that do not stand in it, figures from nowhere."""
    faults: list[str] = []
    retrieved = set(turn.retrieved)
    for one in turn.evidence.selected_evidence:
        faults += _of_quote(docs, retrieved, (CORPUS_OF[one.source], one.id), one.snippet)
    numbers = set()
    for shown in turn.record.evidence:
        numbers.add(shown.number)
        faults += _of_quote(docs, retrieved, (CORPUS_OF[shown.source], shown.id), shown.quote)
    for claim in turn.record.claims:
        if turn.message[claim.start : claim.end] != claim.text:
            faults.append(f"claim not at its place: {claim.text!r}")
        if not claim.evidence or not set(claim.evidence) <= numbers:
            faults.append(f"claim without evidence: {claim.text!r}")
    allowed = _figures(_allowed_texts(turn, docs, question))
    allowed |= {str(count) for count in _counts(turn)}
    if turn.record.evidence:
        allowed |= _durations(turn, docs)
    faults += [f"figure from nowhere: {one}" for one in sorted(_figures([turn.message]) - allowed)]
    return faults


def true_claims(turn: TurnResult, docs: Docs) -> int:
    """Claims whose every sentence stands in its document, or is a fact about the portfolio."""
    retrieved = set(turn.retrieved)
    true = {
        shown.number
        for shown in turn.record.evidence
        if not _of_quote(docs, retrieved, (CORPUS_OF[shown.source], shown.id), shown.quote)
    }
    return sum(bool(claim.evidence) and set(claim.evidence) <= true for claim in turn.record.claims)


def agreement_faults(turn: TurnResult, docs: Docs, question: str) -> list[str]:
    """Where cards, verdict and text contradict each other, in any language."""
    faults: list[str] = []
    cards = {("projects", one) for one in turn.record.ui.show_projects}
    cards |= {("resume", one) for one in turn.record.ui.show_experiences}
    cited = {(CORPUS_OF[one.source], one.id) for one in turn.evidence.selected_evidence}
    hints = {("projects", one) for one in turn.evidence.ui_hints.projects}
    hints |= {("resume", one) for one in turn.evidence.ui_hints.experiences}
    retrieved = set(turn.retrieved)
    if strange := sorted(one for one in cards if "/".join(one) not in retrieved):
        faults.append(f"cards not retrieved: {strange}")
    if foreign := sorted(cards - hints - cited):
        faults.append(f"cards not of the evidence: {foreign}")
    if cards and not turn.plan.cards_enabled:
        faults.append("cards although they are off")
    if turn.evidence.verdict in {"unknown", "n/a"} and (cards or cited):
        faults.append(f"verdict {turn.evidence.verdict} with cards or evidence")
    if not turn.message.strip():
        faults.append("no text")
    proved = " ".join(
        [
            question,
            *(f"{docs[key].title} {docs[key].text}" for key in cards | cited if key in docs),
            *(one.quote for one in turn.record.evidence if one.source == "fact"),
        ]
    )
    instead = retrieved if turn.evidence.verdict == "unknown" else set()
    for key, doc in docs.items():
        is_shown = key in cards | cited | hints or "/".join(key) in instead
        if not is_shown and _is_named(doc, turn.message, proved):
            faults.append(f"named without evidence: {doc.title}")
    return faults


def _of_quote(docs: Docs, retrieved: set[str], key: tuple[str, str], quote: str) -> list[str]:
    if key[0] == "fact":
        is_true = quote in {fact.text for fact in facts_of([*docs.values()], timezone.localdate())}
        return [] if is_true else [f"no fact: {quote!r}"]
    doc = docs.get(key)
    if doc is None:
        return [f"no such document: {key}"]
    faults = [] if "/".join(key) in retrieved else [f"not retrieved: {key}"]
    plain = _plain(quote)
    if not plain or (plain not in _plain(doc.text) and plain not in _plain(doc.title)):
        faults.append(f"quote not in {key}: {quote!r}")
    return faults


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", text.translate(_QUOTES)).strip(" .…").casefold()


def _allowed_texts(turn: TurnResult, docs: Docs, question: str) -> Iterable[str]:
    """What figures of an answer may come from: the question, and documents cited or shown."""
    yield question
    keys = {(CORPUS_OF[one.source], one.id) for one in turn.evidence.selected_evidence}
    keys |= {("projects", one) for one in turn.record.ui.show_projects}
    keys |= {("resume", one) for one in turn.record.ui.show_experiences}
    for key in keys:
        if doc := docs.get(key):
            yield f"{doc.title} {doc.text} {doc.started} {doc.ended}"
    shown: list[ShownEvidence] = turn.record.evidence
    yield from (one.dates for one in shown)
    yield from (one.quote for one in shown if one.source == "fact")


def _counts(turn: TurnResult) -> set[int]:
    """Numbers that an answer may count up to by itself."""
    most = max(
        len(turn.record.evidence),
        len(turn.record.ui.show_projects) + len(turn.record.ui.show_experiences),
        len(turn.evidence.ui_hints.projects) + len(turn.evidence.ui_hints.experiences),
    )
    return set(range(most + 1))


def _durations(turn: TurnResult, docs: Docs) -> set[str]:
    """Years and months, added up from the dates of what is cited: of each, and of all together."""
    spans = []
    for one in turn.evidence.selected_evidence:
        doc = docs.get((CORPUS_OF[one.source], one.id))
        if doc and len(doc.started) == _MONTH_CHARS:
            last = doc.ended or f"{timezone.localdate():%Y-%m}"
            if len(last) == _MONTH_CHARS:
                spans.append(set(range(_month(doc.started), _month(last))))
    totals = [len(span) for span in (*spans, set().union(*spans))]
    return {str(one) for months in totals for one in (*divmod(months, _YEAR), months)}


def _month(text: str) -> int:
    return _YEAR * int(text[:4]) + int(text[5:7])


def _figures(texts: Iterable[str]) -> set[str]:
    """Numbers without leading zeros; of 2024-06 both parts."""
    found = {one for text in texts for one in _FIGURE.findall(text)}
    return {one.lstrip("0") or "0" for one in found}


def _is_named(doc: Doc, message: str, proved: str) -> bool:
    """Whether a text names a project or a company of which nothing proved speaks."""
    name = doc.title if doc.facet == "project" else ""
    if doc.facet == "experience":
        name = doc.title.rsplit(" — ", 1)[-1]
    if len(name) < _NAME_CHARS:
        return False
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    return bool(pattern.search(message)) and not pattern.search(proved)
