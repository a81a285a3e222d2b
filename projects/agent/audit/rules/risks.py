"""Risks: named without an answer, named elsewhere only, and everything hanging on one person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from projects.agent.audit.findings import Area, Finding, Fix, Severity, Subject, quoted
from projects.agent.audit.sentences import Sentence, sentences_of
from projects.dimensions import FIELDS

TRUST: Final = "core_trust_safeguards"
_BAD: Final = (
    r"(?:fail|break|leave|drop|quit|lose|be lost|run out|go wrong|refuse|reject|slip|crash|leak"
    r"|be (?:late|delayed|refused|ill|sick)|cost more|take longer|not \w+)"
)
RISK: Final = re.compile(
    r"\b(?:risks?|risky|worr(?:y|ied|ies)|afraid|fear|danger\w*|threat\w*"
    rf"|(?:might|may|could|can) (?:also |even |still )?{_BAD}"
    r"|fails?|failure|delays?|los(?:e|es|s|ing)|breach|leaks?|runs? out"
    r"|overruns?|resist\w*|drops? out|burn\s?out)\b", re.IGNORECASE,
)  # fmt: skip
ANSWER: Final = re.compile(
    r"\b(?:mitigat\w+|back-?ups?|fall-?back|plan b|instead|so that|therefore|in that case|we will"
    r"|i will|i['’]ll|we['’]ll|would then|then we|if (?:so|that happens)|stays? as|insur\w+|second"
    r"|replac\w+|check\w*|review\w*|test\w*|train\w*|contingenc\w+|reserve|buffer|prevent\w*"
    r"|avoid\w*|reduc\w+|protect\w*|encrypt\w*|rollback|roll back|substitute|cover(?:s|ed)? by)\b",
    re.IGNORECASE,
)  # fmt: skip
_ALONE: Final = re.compile(
    r"\b(?:only (?:me|one person|\w+ knows)|just me|all on my own|on my own|by myself|alone"
    r"|single person|nobody else)\b", re.IGNORECASE,
)  # fmt: skip


def risks(subject: Subject) -> Iterator[Finding]:
    """What may go wrong, as the project itself tells it."""
    found = list(unanswered(subject.text(TRUST)))
    if found:
        yield _unanswered(subject, found)
    yield from _elsewhere(subject)
    yield from _one_person(subject)


def unanswered(text: str) -> Iterator[Sentence]:
    """Sentences that name a risk, when neither they nor the next one says what is done then."""
    all_of_them = list(sentences_of(text))
    for place, one in enumerate(all_of_them):
        after = all_of_them[place + 1].text if place + 1 < len(all_of_them) else ""
        answered = ANSWER.search(one.text) or (ANSWER.search(after) and not RISK.search(after))
        if RISK.search(one.text) and not answered:
            yield one


def _unanswered(subject: Subject, found: list[Sentence]) -> Finding:
    text = subject.text(TRUST)
    many = len(found) > 1
    words = (
        _("Risks are named, but for none of these is it said what you would do.")
        if many
        else _("A risk is named, but not what you would do.")
    )
    what = found[0].text.rstrip(".!? ")
    return Finding(
        id="risk-unanswered",
        area=Area.RISKS,
        severity=Severity.CRITICAL if many else Severity.SERIOUS,
        observation=words,
        question=_("What if the first of them really happens next week: what do you do that day?"),
        recommendation=_("add to each risk one sentence: who does what when it happens"),
        dimension=TRUST,
        evidence=[quoted(TRUST, text, one.start, one.end) for one in found[:4]],
        fix=Fix(kind="task", values={"title": _("Plan for: %(risk)s") % {"risk": what[:150]}}),
    )


def _elsewhere(subject: Subject) -> Iterator[Finding]:
    """Worries in other dimensions that the safeguards do not take up."""
    safeguards = set(subject.text(TRUST).lower().split())
    for name in FIELDS:
        if name == TRUST:
            continue
        text = subject.text(name)
        for one in unanswered(text):
            long_words = {word for word in one.text.lower().split() if len(word) > 5}
            if long_words & safeguards:
                continue
            yield Finding(
                id=f"risk-{name}",
                area=Area.RISKS,
                severity=Severity.SERIOUS,
                observation=_("A worry stands here that the safeguards do not take up."),
                question=_("How likely is that, and by what would you notice it first?"),
                recommendation=_("take it up under trust and safeguards, with an answer"),
                dimension=name,
                evidence=[quoted(name, text, one.start, one.end)],
                fix=Fix(
                    kind="dimension", field=TRUST, values={"content": f"- {one.text.rstrip()}"}
                ),
            )
            break


def _one_person(subject: Subject) -> Iterator[Finding]:
    for name in ("core_people_bonds", "core_power_resources"):
        text = subject.text(name)
        one = next((one for one in sentences_of(text) if _ALONE.search(one.text)), None)
        if one is None:
            continue
        yield Finding(
            id="risk-one-person",
            area=Area.RISKS,
            severity=Severity.SERIOUS,
            observation=_("Everything hangs on one person."),
            question=_("What if that person is ill for three weeks: what stops, and what goes on?"),
            recommendation=_("name one person who knows enough to go on, and what they must know"),
            dimension=name,
            evidence=[quoted(name, text, one.start, one.end)],
            fix=Fix(kind="task", values={"title": _("Name somebody who could take over")}),
        )
        return
