"""The plan of a question: its type, whether all is wanted, its scope, where to look.

The pair `plan_with_model` / `plan_by_rules` gives the same; `checked` holds for both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _

from futura.llm.client import Llm
from futura.text import STOP_WORDS, words
from projects.agent.fencing import Fence
from projects.portfolio import vocabulary
from projects.portfolio.documents import Doc
from projects.portfolio.index.terms import ASKING
from projects.portfolio.index.weights import TOP_K
from projects.portfolio.visitors import cues, prompts
from projects.portfolio.visitors.contract import (
    EnumerationMode,
    ExperienceScope,
    QuestionType,
    ResumeFacet,
    RetrievalPlan,
    RetrievalRequest,
    RetrievalSource,
)
from projects.portfolio.visitors.prompts import Said
from projects.portfolio.visitors.sought import Key, Sought, is_home, sought_in
from projects.portfolio.visitors.speaking import Speaker
from projects.portfolio.visitors.spelling import written_out

STAGE: Final = "portfolio_planner"
TOPIC_WORDS: Final = 5
TURNS_SEEN: Final = 3
"""Earlier turns that the planner sees (spec 3, 5.1)."""
FOLLOW_UPS: Final = 3
_OF_NO_PROJECT: Final = frozenset({"award", "education"})


@dataclass(frozen=True)
class Asked:
    """A question, with the visitor's earlier questions (oldest first)."""

    text: str
    before: Sequence[str] = ()

    @property
    def is_follow_up(self) -> bool:
        """Whether it leans on what was asked before."""
        return (
            bool(self.before)
            and not _names(self.text)
            and cues.FOLLOW_UP.match(self.text) is not None
        )


def plan_with_model(
    asked: Asked, said: Sequence[Said], speaker: Speaker, llm: Llm, fence: Fence
) -> RetrievalPlan:
    """The plan of a question by a model. Raises ModelUnavailable."""
    seen = list(said)[-2 * TURNS_SEEN :]
    messages = prompts.planner(asked.text, seen, speaker, fence)
    told = llm.structured(STAGE, messages, prompts.PlanOut, prompt_version=prompts.PLANNER_VERSION)
    return checked(told.as_plan(), asked)


def cache_key(asked: Asked, said: Sequence[Said], *, with_model: bool) -> str:
    """Names a question with what was said before it; the same in the same place of a talk."""
    told = "\x00".join(
        [" ".join(asked.text.casefold().split()), *(text for _role, text in said[-6:])]
    )
    return hashlib.sha256(f"{with_model}\x00{told}".encode()).hexdigest()[:24]


def looks_for(
    asked: Asked, plan: RetrievalPlan, docs: Sequence[Doc], last_evidence: Sequence[Key]
) -> Sought:
    """What a question looks for; a follow-up that names nothing looks where the last answer did."""
    asked = replace(asked, text=written_out(asked.text))
    text = asked.text
    leans = asked.is_follow_up and cues.POINTING.search(text) is not None
    if leans or (asked.is_follow_up and not plan.retrieval_requests):
        found = sought_in(text, docs, told=last_evidence)
        if plan.question_type == "list" and asked.before and not found.facets:
            # “which of them”: of the kind that was asked for, not of all that was told with it
            listed = sought_in(written_out(asked.before[-1]), docs)
            found = replace(found, facets=listed.facets)
        return found
    own = sought_in(text, docs)
    if not (asked.is_follow_up and asked.before):
        return own
    before = written_out(asked.before[-1])
    if own.groups and cues.ELLIPTIC.match(text):
        # “What about Scala?”: the same question, about something else
        frame = sought_in(before, docs)
        return replace(frame, groups=own.groups, joiner=own.joiner, entities=own.entities)
    if own.entities or any(one.is_name for one in own.topics):
        return own
    leaning = sought_in(f"{before} {text}", docs)
    # “Tell me about Kiln”, “Which degrees?”: a project has none, so all of them are meant
    is_apart = leaning.entities and own.facets and own.facets <= _OF_NO_PROJECT
    return own if is_apart else leaning


def follow_ups(plan: RetrievalPlan, docs: Sequence[Doc]) -> list[str]:
    """Questions that may come next, about what the answer rested on."""
    found = []
    for doc in docs:
        if doc.facet == "project":
            found.append(_("Tell me about %(work)s") % {"work": doc.title})
        elif doc.facet == "experience" and " — " in doc.title:
            company = doc.title.split(" — ")[-1]
            found.append(_("What did you do at %(company)s?") % {"company": company})
    return list(dict.fromkeys(found))[:FOLLOW_UPS] if plan.question_type != "meta" else []


def plan_by_rules(asked: Asked) -> RetrievalPlan:
    """The plan of a question."""
    asked = replace(asked, text=written_out(asked.text))
    text = asked.text
    kind = type_of(asked)
    if kind == "meta":
        topic = "greeting" if cues.GREETING.match(text) else "how the chat works"
        if cues.OFF_TOPIC.search(text):
            topic = "off topic"
        return RetrievalPlan(question_type="meta", cards_enabled=False, topic=topic)
    enumeration = enumeration_of(text, kind)
    query = query_of(asked)
    requests = [
        RetrievalRequest(source=source, query_text=query, top_k=_top_k(kind, enumeration))
        for source in sources_of(text, kind)
    ]
    return checked(
        RetrievalPlan(
            question_type=kind,
            enumeration=enumeration,
            scope=scope_of(text),
            retrieval_requests=requests,
            resume_facets=facets_of(text),
            cards_enabled=cards_for(text),
            topic=topic_of(query),
        ),
        asked,
    )


def type_of(asked: Asked) -> QuestionType:
    """The type of a question; one that only goes on has that of the question before."""
    kind = question_type(asked.text)
    if kind == "narrative" and asked.before and cues.ELLIPTIC.match(asked.text):
        before = question_type(written_out(asked.before[-1]))
        return kind if before == "meta" else before
    return kind


def question_type(text: str) -> QuestionType:
    """Meta only where nothing is asked of the owner; then yes or no, a list, or a story."""
    if is_meta(text):
        return "meta"
    if cues.BINARY.match(text) and not cues.ASKS_TO_TELL.match(text):
        return "binary"
    if cues.LIST.search(text):
        return "list"
    if cues.ANY_TAIL.search(text):
        return "binary"
    if cues.PLACE.search(text) and not cues.WHY.search(text):
        return "list"
    return "narrative"


def is_meta(text: str) -> bool:
    """Greetings, the chat itself, what has nothing to do with the owner; never skills or places."""
    if cues.GREETING.match(text):
        return True
    if cues.OFF_TOPIC.search(text):
        return True
    if cues.BIO.search(text) or cues.PLACE.search(text) or _names(text):
        return False
    return cues.HOW_IT_WORKS.search(text) is not None


def enumeration_of(text: str, kind: QuestionType) -> EnumerationMode:
    """Everything for a list unless a few will do; a sample for the others."""
    if kind != "list":
        return "sample"
    if cues.ALL.search(text):
        return "all_relevant"
    return "sample" if cues.SOME.search(text) else "all_relevant"


def scope_of(text: str) -> ExperienceScope:
    """Employment only where the words say so; internships are employment."""
    is_employment = cues.EMPLOYMENT.search(text) or _is_somewhere(text)
    return "employment_only" if is_employment else "any_experience"


def _is_somewhere(text: str) -> bool:
    """Whether a question is about a time at or in a named place that is no school and no tool."""
    if cues.STUDY.search(text):
        return False
    return any(not vocabulary.terms_in(one["name"]) for one in cues.AT_NAMED.finditer(text))


def sources_of(text: str, kind: QuestionType) -> list[RetrievalSource]:
    """Where to look; a place is always looked up in the resume.

    Yes or no may be told by the profile too: there people say what they do not do.
    """
    found = _sources(text, kind)
    is_tool_at_work = scope_of(text) == "employment_only" and _names(text)
    if kind != "binary" or "profile" in found or is_tool_at_work:
        return found
    return [*found, "profile"]


def _sources(text: str, kind: QuestionType) -> list[RetrievalSource]:
    if cues.PLACE.search(text):
        return ["resume", "profile"]
    if cues.BIO.search(text):
        return ["profile", "resume"]
    if cues.STUDY.search(text) or cues.AWARDS.search(text):
        return ["resume", "projects"] if cues.PROJECTS.search(text) else ["resume"]
    found: list[RetrievalSource] = ["resume", "projects"]
    is_employment, is_projects = cues.EMPLOYMENT.search(text), cues.PROJECTS.search(text)
    if is_projects and not is_employment and cues.ONLY_PROJECTS.search(text):
        found = ["projects"]
    elif is_employment and not is_projects and not _names(text):
        found = ["resume"]
    if cues.SKILLS.search(text) and kind == "list":
        found.append("profile")
    return found


def facets_of(text: str) -> list[ResumeFacet]:
    """Which records of the resume are leaned towards; none where nothing says so."""
    found: list[ResumeFacet] = []
    if cues.EMPLOYMENT.search(text):
        found.append("experience")
    if cues.STUDY.search(text):
        found.append("education")
    if cues.AWARDS.search(text):
        found.append("award")
    if cues.SKILLS.search(text) or (cues.EMPLOYMENT.search(text) and _names(text)):
        found.append("skill")
    return found


def cards_for(text: str) -> bool:
    """No cards for sums of attributes and for who somebody is."""
    if cues.BIO.search(text) or is_home(text):
        return False
    return not cues.ROLLUP.search(text) or bool(
        cues.USED_ON.search(text) and not cues.COUNTING.search(text)
    )


def query_of(asked: Asked) -> str:
    """What is searched for: the question, broad topics in more words, earlier ones where needed."""
    text = " ".join(asked.text.split())
    parts = [text]
    if asked.is_follow_up:
        parts.insert(0, " ".join(asked.before[-1].split()))
    plain = f" {' '.join(words(' '.join(parts)))} "
    wider = [more for topic, more in cues.BROAD.items() if f" {' '.join(words(topic))} " in plain]
    return " ".join([*parts, *wider])[:1_000]


def topic_of(query: str) -> str | None:
    """Two to five words for the log; nothing depends on it."""
    named = [one.name for one in vocabulary.terms_in(query)][:2]
    if named:
        return f"{' and '.join(named)} experience"
    telling = [one for one in words(query) if one not in STOP_WORDS and one not in ASKING]
    return " ".join(telling[:TOPIC_WORDS]) or None


def checked(plan: RetrievalPlan, asked: Asked) -> RetrievalPlan:
    """A plan, by rules or by a model, as far as it may go (spec 3, 5.1: post-processing).

    What asks about the owner is not meta; a place searches the resume; a meta plan has no cards;
    top_k below zero is none. Clamping to the limits is left to retrieval, which tells both.
    """
    text = asked.text
    found = plan.model_copy(deep=True)
    if found.question_type == "meta" and not is_meta(text):
        kind = question_type(text)
        if _is_about_owner(text) or kind in {"binary", "list"}:
            found.question_type, found.enumeration = kind, enumeration_of(text, kind)
            found.cards_enabled = cards_for(text)
    if found.question_type == "meta":
        found.cards_enabled, found.enumeration = False, "sample"
        return found
    known = {one.source for one in found.retrieval_requests}
    if not known and not asked.is_follow_up:
        for source in sources_of(text, found.question_type):
            found.retrieval_requests.append(_request(source, asked, found))
    elif cues.PLACE.search(text) and "resume" not in known:
        found.retrieval_requests.append(_request("resume", asked, found))
    for one in found.retrieval_requests:
        one.top_k = max(0, one.top_k)
    return found


def _is_about_owner(text: str) -> bool:
    about = (
        cues.BIO,
        cues.PLACE,
        cues.EMPLOYMENT,
        cues.STUDY,
        cues.AWARDS,
        cues.SKILLS,
        cues.PROJECTS,
    )
    return bool(_names(text)) or any(one.search(text) for one in about)


def _request(source: RetrievalSource, asked: Asked, plan: RetrievalPlan) -> RetrievalRequest:
    top_k = _top_k(plan.question_type, plan.enumeration)
    return RetrievalRequest(source=source, query_text=query_of(asked), top_k=top_k)


def _top_k(kind: QuestionType, enumeration: EnumerationMode) -> int:
    return 20 if enumeration == "all_relevant" else TOP_K[kind]


def _names(text: str) -> list[str]:
    """Tools, languages and fields that a text names."""
    return [one.name for one in vocabulary.terms_in(text)]
