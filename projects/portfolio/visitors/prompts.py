"""What Planner, Evidence and Answer ask of the model: instructions, material, forms of the answers.

Documents, questions and earlier turns stand between marks as material, whatever they say: nothing
is taken out of a document because of its words (DECISIONS 53).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from pydantic import BaseModel, Field

from chat.memory.shapes import Utterance
from chat.memory.tokens import newest
from futura.llm.client import ChatMessage
from projects.portfolio.documents import Doc
from projects.portfolio.visitors.contract import (
    Confidence,
    Evidence,
    Question,
    RetrievalPlan,
    Retrieved,
    SemanticFlag,
    Speaker,
    Verdict,
)
from projects.portfolio.visitors.sentences import Sentence, SentenceId

PLANNER_VERSION: Final = "portfolio-planner-3"
EVIDENCE_VERSION: Final = "portfolio-evidence-4"
ANSWER_VERSION: Final = "portfolio-answer-4"
RECENT: Final = 6
"""Earlier messages that Planner and Evidence see (spec 3, 5.1)."""
RECENT_TOKENS: Final = 1_000
"""Of all of them together."""
ELSEWHERE: Final = 12
"""Titles that an answer without evidence may point to."""
FLAGS: Final[Mapping[str, str]] = {
    "multi_topic": "Say briefly how you read it.",
    "ambiguous": "Say briefly how you read it (“if you mean …”).",
    "needs_clarification": "Answer as far as you can, then ask one short question back.",
    "off_topic": "Say that the portfolio does not cover it, and what can be asked instead.",
}
"""What a sign on the shape of a question wants of its answer (spec 3, section 5.4)."""


class EvidenceOut(BaseModel):
    """What is true, by the ids of the sentences that say so, and which cards go with it."""

    verdict: Verdict
    confidence: Confidence
    reasoning: str = ""
    supports: list[SentenceId] = Field(default_factory=list)
    contradicts: list[SentenceId] = Field(default_factory=list)
    semantic_flags: list[SemanticFlag] = Field(default_factory=list)
    project_cards: list[str] = Field(default_factory=list)
    experience_cards: list[str] = Field(default_factory=list)


class AnswerOut(BaseModel):
    """The answer, and a few notes for developers where there is something to note: an answer that
    was shown is not held up for want of them.
    """

    message: str
    thoughts: list[str] | None = None


def planner(question: Question) -> list[ChatMessage]:
    speaker = question.speaker
    instructions = (
        f"You plan how questions to the portfolio of {speaker.name} ({speaker.domain}) are "
        "answered. You do not answer them. “You” and “your” in a question mean "
        f"{speaker.name}.\n"
        "standalone_question: the question as it would be asked without the conversation before "
        "it, in the visitor's own language, with everything named that it refers to, and dates for "
        "“last year” and the like. language: "
        "the language of the visitor's last message, named in English.\n"
        "question_type: binary for yes or no; list for several items, also where and which; "
        "narrative for a story, an overview or a comparison; meta only for greetings, thanks, how "
        "this chat works, and what has nothing to do with the portfolio. Questions about skills, "
        "projects, jobs, education, travel, residence or location are never meta.\n"
        "enumeration: all_relevant for a list unless a few or examples are wanted; sample for "
        "everything else.\n"
        "scope: employment_only only when the question is limited to jobs, companies or roles, "
        "internships included; else any_experience.\n"
        "retrieval_requests: choose sources deliberately. resume for employers, jobs, education, "
        "awards and places; projects for work that was made; profile for who somebody is. A place "
        "is always looked up in resume, with its exact name. Ask for top_k 5 for binary, 8 for "
        "others, 20 when everything is wanted. Put all tools that are named into query_text; "
        "widen broad topics by related words, never narrow tools. Write query_text in "
        f"the language of these words about {speaker.name}: "
        f"“{speaker.headline or speaker.domain}”. "
        "Leave the list empty for meta, and for a follow-up that the last "
        "answer's evidence covers.\n"
        "resume_facets: kinds of records to lean to, or none. cards_enabled: false for counts, "
        "sums of attributes (“what languages do you know?”) and who somebody is. topic: two to "
        "five words."
    )
    blocks = [
        ("earlier", _recent_text(question)),
        ("today", str(question.today)),
        ("question", question.text),
    ]
    return question.delimiter.prompt(instructions, blocks)


def evidence(question: Question, plan: RetrievalPlan, retrieved: Retrieved) -> list[ChatMessage]:
    """How to ask what is true. Sentences of one document stand together."""
    instructions = (
        "You decide what a portfolio says to a question. Nothing but its numbered sentences and "
        "facts counts, not what you know of the world. Sentences stand behind ids such as [s12]; "
        "facts such as [f3] were computed from its dates and lists and are exact.\n"
        "verdict: yes, no, partial, unknown or n/a. `no` only when something says that it is not "
        "so; when nothing says anything it is unknown, with low confidence, no ids and no cards. "
        "partial when only a part holds, or when the question is about jobs and only projects "
        "support it. yes also when a list or a story is wanted and something tells it; n/a only "
        "where it is answered by neither yes nor no.\n"
        "supports: ids of the sentences and facts that directly support the verdict or answer the "
        "question, best first: one to six, and for a list that should be complete one for each "
        "item. contradicts: ids of those that say otherwise. Only ids that are shown.\n"
        "project_cards and experience_cards: ids of documents of kind project, and of kind "
        "experience. When everything is wanted they hold all that fit and nothing else; otherwise "
        "those of the evidence. Documents of “only named” did not fit: their ids may stand there "
        "where a fact or the title says that they fit. semantic_flags only for the shape of the "
        "question, never for doubt. reasoning: two to six sentences."
    )
    axes = (
        f"type {plan.question_type}, enumeration {plan.enumeration}, scope {plan.scope}, "
        f"cards {'wanted' if plan.cards_enabled else 'not wanted'}"
    )
    by_doc = groupby(retrieved.sentences, key=lambda sentence: sentence.docs[0].key)
    blocks = [("document", _document([*rows])) for _key, rows in by_doc]
    named = retrieved.left_out if plan.enumeration == "all_relevant" else ()
    blocks += [
        ("only named", "\n".join(f"{doc.doc_id} ({doc.facet}): {doc.title}" for doc in named)),
        ("facts", _lines(retrieved.facts)),
        ("earlier", _recent_text(question)),
        ("today", str(question.today)),
        ("plan", axes),
        ("question", question.text),
        ("standalone question", plan.standalone_question),
    ]
    return question.delimiter.prompt(instructions, blocks)


def _document(sentences: Sequence[Sentence]) -> str:
    doc = sentences[0].docs[0]
    source = "project" if doc.corpus == "projects" else doc.corpus
    head = f"source: {source}\nid: {doc.doc_id}\nkind: {doc.facet}\ntitle: {doc.title}"
    dates = f"dates: {doc.months}" if doc.months else ""
    return "\n".join(filter(None, (head, dates, _lines(sentences))))


def _lines(sentences: Sequence[Sentence]) -> str:
    return "\n".join(sentence.line for sentence in sentences)


def answer(
    question: Question, plan: RetrievalPlan, evidence: Evidence, nearby: Sequence[Doc]
) -> list[ChatMessage]:
    """How to ask for the words of an answer. The verdict stands before; without evidence the titles
    of what is `nearby` are there instead.
    """
    speaker = question.speaker
    elsewhere = [] if evidence.sentences else list(dict.fromkeys(doc.title for doc in nearby))
    pronoun = "we" if speaker.is_group else "I"
    language = plan.language or "the language of the visitor's question"
    instructions = [
        _voice(speaker),
        (
            f"You are {speaker.name}, {speaker.domain}, and answer visitors of your portfolio in "
            f"the first person ({pronoun}), in {language}. {speaker.persona}"
        ),
        _verdict(question, plan, evidence),
        _shape(plan, evidence),
        _flags(evidence),
        (
            "Plain words, short; Markdown lists where several items are named. thoughts: up to "
            "three short notes on how you came to these words."
        ),
        *(f"- {line}" for line in speaker.style),
    ]
    blocks = [
        ("about", speaker.identity),
        ("evidence", "\n".join(map(_with_source, evidence.sentences))),
        ("what the portfolio shows", "; ".join(elsewhere[:ELSEWHERE])),
        ("earlier", _history_text(question.window)),
        ("today", str(question.today)),
        ("question", question.text),
        ("standalone question", plan.standalone_question),
    ]
    return question.delimiter.prompt("\n".join(filter(None, instructions)), blocks)


def _with_source(sentence: Sentence) -> str:
    if sentence.is_fact:
        return f"{sentence.line} (computed)"
    doc = sentence.docs[0]
    return f"{sentence.line} ({', '.join(filter(None, (doc.title, doc.facet, doc.months)))})"


def _verdict(question: Question, plan: RetrievalPlan, evidence: Evidence) -> str:
    summary = evidence.summary
    if plan.question_type == "meta":
        return (
            "Nothing is asked of the portfolio. Claim nothing about yourself. This chat looks a "
            f"question up in what {question.speaker.name} has published (projects, positions, "
            "education, skills, profile), weighs what is found, and answers from that alone, with "
            "sources. It does nothing else: asked for other things, say so and name what can be "
            "asked."
        )
    if summary.verdict == "unknown":
        is_passed_on = summary.is_open and question.has_inbox
        passed_on = " The question has been passed on." if is_passed_on else ""
        return (
            "The portfolio has nothing on this. Say so kindly in one or two sentences, without a "
            "yes or a no and without guessing; name what it shows instead where that is near the "
            f"question.{passed_on}"
        )
    stand = f"The verdict is {summary.verdict} with {summary.confidence} confidence: say it"
    if summary.verdict == "n/a":
        stand = f"It is no yes or no question. The confidence is {summary.confidence}: answer it"
    # a computed fact may count or list many
    is_single = len(evidence.sentences) == 1 and not evidence.sentences[0].is_fact
    singular = " With one piece speak in the singular and add nothing nearby." if is_single else ""
    return (
        f"{stand} clearly in the first sentence, hedge when the confidence is not high, and never "
        "contradict it. "
        "Say only what the evidence says, with its exact titles and places, and never speak of "
        "more than there is (“various projects”). Behind each sentence put the ids that it stands "
        "on, as they are shown: [s12] or [s12][f3]. Use no other ids.\n"
        f"Counts: {evidence.counts}.{singular}"
    )


def _flags(evidence: Evidence) -> str:
    flags = evidence.summary.semantic_flags
    about = "; ".join(f"{flag.type}: {flag.reason}" for flag in flags)
    wants = " ".join(dict.fromkeys(FLAGS[flag.type] for flag in flags))
    return f"About the question: {about}. {wants}" if flags else ""


def _voice(speaker: Speaker) -> str:
    if not speaker.voice_examples:
        return ""
    examples = "\n".join(f"- {example}" for example in speaker.voice_examples)
    return (
        "IMPORTANT: match the voice of these examples as closely as you can; where one fits, its "
        f"very words may be used again:\n{examples}\nFor greetings stay short, without a list of "
        "what you have done."
    )


def _shape(plan: RetrievalPlan, evidence: Evidence) -> str:
    cards = (
        "The cards below the answer show the items."
        if evidence.cards
        else "There are no cards: do not speak of any."
    )
    if evidence.summary.verdict == "unknown":
        return cards
    match plan.question_type, plan.enumeration:
        case "list", "all_relevant":
            return f"A list is wanted, complete: name the main items. {cards}"
        case "list", _:
            return f"A few examples are wanted; say that they are examples. {cards}"
        case "meta", _:
            return "It is about this chat or small talk: one or two friendly sentences."
        case "binary", _:
            return f"A yes or no question: two to four sentences. {cards}"
    return f"A story is wanted: one or two short paragraphs. {cards}"


def _recent_text(question: Question) -> str:
    return _history_text(newest(question.window[-RECENT:], RECENT_TOKENS, least=RECENT))


def _history_text(history: Sequence[Utterance]) -> str:
    names = {"user": "Visitor", "assistant": "Answer"}
    return "\n".join(f"{names[message.role]}: {message.text}" for message in history)
