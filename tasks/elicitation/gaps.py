"""What has not come up yet, compared with the occupation, and a question that was never asked."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from chat.guides import Utterance
from futura.errors import ModelUnavailable
from futura.llm.client import Llm
from futura.text import content_overlap, content_stems, jaccard
from onet.candidates import Candidate
from onet.queries import occupation, top_statements
from tasks.elicitation.areas import ANYTHING_ELSE, AREAS, BY_ID, GENERAL_GAPS, Area
from tasks.elicitation.prompts import GapAnalysis, GapInput, gap_messages
from tasks.elicitation.state import Asked, Level, SurveyState

REFERENCE_STATEMENTS: Final = 15
"""Statements compared with what was said (spec 1: the top 15 by importance)."""

CARD_STATEMENTS: Final = 60
"""Statements that cards may be taken from."""

REPEATS: Final = 0.6
"""Overlap of content stems from which a question is a near-duplicate (DECISIONS 17)."""

_NEED: Final[dict[Level, float]] = {"none": 1.7, "low": 1.35, "medium": 1.0, "high": 0.8}
_GENERAL_WEIGHT: Final = 3.0
_YES_OR_NO: Final = re.compile(r"^(?:do|does|is|are|have|did)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Question:
    """A question to put, its gap area, and the tasks that a yes would confirm."""

    text: str
    area: str = ""
    pending: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reference:
    """What people of the chosen occupation do; niche statements are already left out."""

    title: str = ""
    statements: tuple[Candidate, ...] = ()
    for_cards: tuple[Candidate, ...] = ()


def reference_for(state: SurveyState) -> Reference:
    """The occupation's statements that fit the job as named. No queries without an occupation."""
    if not state.occupation_code:
        return Reference()
    found = occupation(state.occupation_code)
    title = found.title if found else ""
    statements = top_statements(state.occupation_code, limit=CARD_STATEMENTS)
    fitting = without_niche(statements, title, [state.job_title, *state.said])
    top = {s.task_id for s in statements[:REFERENCE_STATEMENTS]}
    return Reference(title, tuple(s for s in fitting if s.task_id in top), tuple(fitting))


def without_niche(
    statements: Sequence[Candidate], title: str, person: Iterable[str]
) -> list[Candidate]:
    """Statements without those that only fit the occupation's speciality.

    What the occupation's title says and the person never said ("climate" for a policy analyst)
    is foreign, and so is what keeps company with it in several statements.
    """
    own = frozenset().union(*(content_stems(text) for text in person))
    foreign = set(content_stems(title) - own) - _COMMON
    if not foreign:
        return list(statements)
    company: Counter[str] = Counter()
    for statement in statements:
        stems = content_stems(statement.text)
        if stems & foreign:
            company.update(stems - own)
    total = Counter(stem for s in statements for stem in content_stems(s.text))
    spread = {w for w, n in company.items() if n >= 2 and n >= total[w] * 0.75} - _COMMON
    return [s for s in statements if not content_stems(s.text) & (foreign | spread)]


_COMMON: Final = frozenset(
    "manag specialist worker technician analyst engin assist oper offic clerk supervis general "
    "regist servic other except profession repres plan program develop report inform work data "
    "project activ system polici materi equip product process prepar review provid team use all "
    "sale direct coordin administr agent aid helper includ research record custom client".split()
)


def is_repeat(question: str, area: str, asked: Iterable[Asked]) -> bool:
    """Whether a question is a near-duplicate: same gap area, or overlapping content words."""
    wanted = question.strip().lower()
    for earlier in asked:
        if wanted == earlier.question.strip().lower():
            return True
        if content_overlap(question, earlier.question) >= REPEATS:
            return True
        if area and earlier.area and _same_area(area, earlier.area):
            return True
    return False


def _same_area(left: str, right: str) -> bool:
    if left.lower() == right.lower():
        return True
    return jaccard(content_stems(left), content_stems(right)) >= REPEATS


# By rules --------------------------------------------------------------------------------------
def gap_by_rules(state: SurveyState, reference: Reference, *, seed: str) -> Question | None:
    """The question about the most wanted area that was neither asked nor spoken about."""
    for area in _by_need(state, reference):
        question = _worded(area, state, reference, seed)
        if question is not None:
            return question
    return None


def anything_else(state: SurveyState, *, seed: str) -> Question | None:
    """A question for more that names no area, never twice the same."""
    first, *rest = ANYTHING_ELSE
    random.Random(seed + "more").shuffle(rest)  # noqa: S311
    for key, words in [first, *rest]:
        question = Question(str(words), f"more {key}")
        if not is_repeat(question.text, "", state.asked) and not _was_asked(state, question.area):
            return question
    return None


def _was_asked(state: SurveyState, area: str) -> bool:
    return any(earlier.area == area for earlier in state.asked)


def _by_need(state: SurveyState, reference: Reference) -> list[Area]:
    """Areas worth asking about, most wanted first; those already spoken about come last."""
    weights = _weights(state, reference)
    said = frozenset().union(*(content_stems(text) for text in state.said))
    elements = {i for m in state.mentioned_activities for i in m.activity_ids[:1]}
    fresh: list[tuple[float, int, Area]] = []
    stale: list[Area] = []
    for order, area in enumerate(AREAS):
        if not weights.get(area.id):
            continue
        if area.topics & said or (area.element and area.element in elements):
            stale += [area] if area.is_general else []
        else:
            level: Level = state.gwa_coverage[area.group] if area.group else "medium"
            fresh.append((-weights[area.id] * _NEED[level], order, area))
    return [area for *_, area in sorted(fresh)] + stale


def _weights(state: SurveyState, reference: Reference) -> dict[str, float]:
    """Area id → how much the reference and general experience speak for asking."""
    weights = {area.id: 0.4 for area in AREAS if area.is_general}
    for place, key in enumerate(GENERAL_GAPS):
        weights[key] = _GENERAL_WEIGHT - place / 10
    by_element: dict[str, float] = defaultdict(float)
    for statement in reference.statements:
        if any(covers(said, statement.text) for said in state.said):
            continue
        for element in statement.activity_ids:
            by_element[element] += (statement.importance or 3.0) / len(statement.activity_ids)
    for area in AREAS:
        if by_element.get(area.element):
            weights[area.id] = weights.get(area.id, 0.0) + by_element[area.element]
    return weights


def covers(said: str, statement: str) -> bool:
    """Whether what was said already stands for the statement."""
    left, right = content_stems(said), content_stems(statement)
    return bool(left) and (jaccard(left, right) >= 0.4 or (len(left) >= 2 and left <= right))


def _worded(area: Area, state: SurveyState, reference: Reference, seed: str) -> Question | None:
    if _was_asked(state, area.id):
        return None
    wordings = list(area.wordings)
    random.Random(f"{seed}{area.id}").shuffle(wordings)  # noqa: S311
    audience = audience_of(state, reference)
    for words in wordings:
        text = str(words).format(audience=audience)
        if not is_repeat(text, str(area.label), state.asked):
            pending = (area.yes_means,) if _YES_OR_NO.match(text) else ()
            return Question(text, area.id, pending)
    return None


_AUDIENCES: Final = (
    "patients", "students", "pupils", "children", "residents", "passengers", "guests", "tenants",
    "clients", "customers", "visitors", "members", "families", "patrons", "buyers", "users",
)  # fmt: skip


def audience_of(state: SurveyState, reference: Reference) -> str:
    """Whom this job is done for: "patients", "students", else "the public"."""
    said = Counter(_plurals(state.said))
    said = said or Counter(_plurals(s.text for s in reference.statements))
    return said.most_common(1)[0][0] if said else "the public"


def _plurals(texts: Iterable[str]) -> list[str]:
    stems = [content_stems(text) for text in texts]
    return [
        audience for found in stems for audience in _AUDIENCES if content_stems(audience) <= found
    ]


# With the model --------------------------------------------------------------------------------
def gap_with_model(
    state: SurveyState, reference: Reference, *, history: Sequence[Utterance], llm: Llm
) -> Question:
    """The model's question about a missing area.

    Raises ModelUnavailable, also when the question is empty, no question, or a repetition.
    """
    asked = GapInput(
        state=state,
        history=history,
        occupation_title=reference.title,
        reference=[statement.text for statement in reference.statements],
        is_dump=state.is_dump,
    )
    answer = llm.structured(
        "gap_analysis", gap_messages(asked), GapAnalysis, prompt_version=GapAnalysis.VERSION
    )
    question = usable(answer.suggested_question, answer.gap_area, state)
    if question is None:
        raise ModelUnavailable("The question cannot be used.", reason="repeated_question")
    return question


def usable(text: str | None, area: str, state: SurveyState) -> Question | None:
    """The single question in a model's text, if there is one and it was never asked."""
    sentences = re.split(r"(?<=[.!?])\s+", (text or "").strip())
    questions = [s.strip() for s in sentences if s.strip().endswith("?")]
    if not questions or len(questions[0]) > 400 or "<" in questions[0]:
        return None
    area = area.strip()[:80]
    if is_repeat(questions[0], area, state.asked) or _labels_repeat(area, state):
        return None
    return Question(questions[0], area)


def _labels_repeat(area: str, state: SurveyState) -> bool:
    """Whether a model's area is one that the bank's questions already asked about."""
    return any(
        earlier.area in BY_ID and _same_area(area, str(BY_ID[earlier.area].label))
        for earlier in state.asked
    )
