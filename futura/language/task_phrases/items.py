"""The tasks of one sentence: a verb with its object, or nouns that stand for work, item by item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from futura.language.lexicon import LIGHT_BASES, NOUN_LIKE, PARTICLES, STATIVES, TOOLS, VAGUE
from futura.language.task_phrases import patterns
from futura.language.task_phrases.clauses import Piece, pieces_of
from futura.language.task_phrases.patterns import (
    AUXILIARIES,
    DETERMINERS,
    NEGATIONS,
    OTHER_PRONOUNS,
    POINTING,
    PREPOSITIONS,
    is_person,
    without_leads,
    without_tail,
)
from futura.language.task_phrases.speakers import Reading, Speaker, reading_of
from futura.language.tokens import Token, line_of
from futura.language.verbs import Form, forms_of, gerund_base, is_base, is_work_noun, singular

_WITHOUT_OBJECT: Final = frozenset(
    """
    lecture supervise mow dig meet commute drive type cook operate teach listen bake fly sing
    dance apologize sweep hoover mop travel patrol fish shop clean cut sew weld iron plant water
    """.split()
)
"""Verbs that may stand without an object: "mow and prune trees" is "mow", not "mow trees"."""
_SHARING: Final = frozenset("do does doing handle deal cover take look have".split())
_JOINED: Final = frozenset({"and", "or", ",", "nor", "then"})


@dataclass
class Draft:
    """A task being put together.

    `form` is None for nouns; `shared` is a verb from before them, `borrowed` the object of a later
    verb, `light_words` how many words a light verb has.
    """

    tokens: list[Token]
    form: Form | None
    shared: str = ""
    borrowed: list[Token] = field(default_factory=list)
    light_words: int = 0

    @property
    def object_tokens(self) -> list[Token]:
        """What follows the verb and its particle."""
        if self.light_words:
            return self.tokens[self.light_words :]
        tokens = self.tokens[1:] if self.form else self.tokens
        while tokens and tokens[0].lower in PARTICLES - {"in", "on", "about"}:
            tokens = tokens[1:]
        return tokens


def drafts_in(sentence: Sequence[Token]) -> list[Draft]:
    """The person's own present tasks in one sentence, in order."""
    line = line_of(sentence)
    collector = Collector(is_future=bool(patterns.FUTURE.search(line)))
    for piece in pieces_of(sentence):
        collector.feed(piece)
    is_question = sentence[-1].lower == "?"
    return [] if is_question and not collector.has_own else collector.drafts


class Collector:
    """Goes over the pieces of a sentence and remembers whose doing the list is about."""

    def __init__(self, *, is_future: bool = False) -> None:
        self.drafts: list[Draft] = []
        self.has_own = False
        self._is_future = is_future
        self._speaker = Speaker.NOBODY
        self._light: str | None = None
        self._current: Draft | None = None
        self._is_past = False

    def feed(self, piece: Piece, *, is_alternative: bool = False) -> None:
        """Takes the next piece; nouns of an alternative share the verb before ("or videos")."""
        shared = _shared_with(self._current, piece.tokens) if is_alternative else ""
        if shared:
            self._add(Draft(list(piece.tokens), None, shared=shared))
            return
        if piece.separator in {"|", "but", "?"}:
            self._speak(Speaker.NOBODY, light=None)
            self._is_past = False
        reading = reading_of(piece, is_future=self._is_future)
        if patterns.PAST.search(line_of(piece.tokens)) and reading.speaker is not Speaker.FRAME:
            self._is_past = True
        elif reading.speaker is Speaker.OWN and reading.form == "base":
            self._is_past = False
        if self._is_past and reading.speaker in {Speaker.OWN, Speaker.NOBODY}:
            self._speak(Speaker.OTHER, light=self._light)
        elif reading.speaker is Speaker.OWN:
            self.own(reading.tokens, reading.form, reading.light)
        elif reading.speaker is Speaker.NOBODY:
            self._go_on(piece, list(reading.tokens))
        else:
            self._turn(piece, reading)

    def own(self, tokens: Sequence[Token], form: Form | None, light: str | None) -> None:
        """Starts a list that the person says of themselves."""
        self.has_own = True
        self._speak(Speaker.OWN, light=light)
        self._take(Piece(tuple(tokens)), list(tokens), form)

    def _speak(self, speaker: Speaker, *, light: str | None) -> None:
        self._speaker, self._light, self._current = speaker, light, None

    def _turn(self, piece: Piece, reading: Reading) -> None:
        """Somebody else, a fact, a condition, or the head of a list."""
        is_short = piece.separator == "own" and reading.is_denial and len(piece.tokens) <= 5
        is_named = bool(self.drafts) and self.drafts[-1].form in {None, "ing"}
        if (reading.takes_back and is_named) or (is_short and self._current):
            self.drafts.pop()
        if reading.speaker is Speaker.FRAME:
            self._speak(Speaker.OWN, light="")
        elif reading.speaker is not Speaker.CONDITION or self._speaker is Speaker.NOBODY:
            self._speak(reading.speaker, light=None)
        self._current = None

    def _go_on(self, piece: Piece, tokens: list[Token]) -> None:
        """A piece without a subject goes on with what the one before spoke of."""
        if not tokens or (piece.is_heading and not verb_form(tokens, None)):
            return
        if tokens[0].lower in NEGATIONS or tokens[-1].lower in {"no", "not", "never", "nope"}:
            self._speak(Speaker.OTHER, light=self._light)
            return
        if piece.separator == ":":
            if tokens[0].lower in DETERMINERS and is_person(tokens[-1].lower):
                self._turn(piece, Reading(Speaker.OTHER, takes_back=True))  # "windows: the crew"
            elif self._speaker is Speaker.NOBODY:
                self._speak(Speaker.OWN, light="")
        if self._speaker is Speaker.OTHER:
            words = {token.lower for token in piece.tokens[:2]}
            if not words & {"just", "only", "instead", "rather"} or not verb_form(tokens, None):
                return
            self._speaker = Speaker.OWN
        self._take(piece, tokens, None)

    def _take(self, piece: Piece, tokens: list[Token], form: Form | None) -> None:
        current = self._current
        if form is None:
            tokens = without_leads(tokens)
            before = current.form if current else None
            is_next = piece.separator == "then"
            form = verb_form(tokens, before, is_next=is_next) if tokens else None
        if not tokens:
            return
        if form and self._light is not None and current is None and tokens[0].lower in _SHARING:
            self._add(Draft(tokens, "base", light_words=self._light.count(" ") + 1))
        elif form:
            draft = Draft(tokens, form)
            if current and current.form is None and len(current.tokens) == 1 and form == "base":
                current.form = form if is_base(current.tokens[0].lower) else None  # "pick and pack"
            if current and current.form == form and piece.separator in _JOINED:
                self._share_object(draft)
            self._add(draft)
        elif current and piece.separator in _JOINED and not _is_new_item(current, piece, tokens):
            current.tokens = [*current.tokens, *tokens]
        elif self._accepts(tokens):
            self._add(Draft(tokens, None, shared=self._light or ""))
        else:
            self._current = None

    def _add(self, draft: Draft) -> None:
        self.drafts.append(draft)
        self._current = draft

    def _share_object(self, draft: Draft) -> None:
        """ "design, build and test APIs": the bare verbs before take the object of the last."""
        objects = draft.object_tokens
        if not objects or objects[0].lower in PREPOSITIONS | POINTING:
            return
        for earlier in reversed(self.drafts):
            verb = earlier.tokens[0].lower
            is_bare = earlier.form == draft.form and not earlier.object_tokens
            if not is_bare or (gerund_base(verb) or verb) in _WITHOUT_OBJECT:
                break
            earlier.borrowed = objects

    def _accepts(self, tokens: list[Token]) -> bool:
        if self._speaker is Speaker.OWN and self._light is not None:
            return _is_plausible(tokens, is_listed=True)
        if self._speaker in {Speaker.FACT, Speaker.OTHER}:
            return False
        names_work = any(is_work_noun(token.lower) for token in _before_preposition(tokens))
        return _is_plausible(tokens, is_listed=names_work)


def _shared_with(draft: Draft | None, tokens: Sequence[Token]) -> str:
    """What an alternative shares with the task before: "take (photos)", "meet (by phone)"."""
    word = tokens[0].lower
    is_verb = is_base(word) and (len(tokens) > 1 or word not in NOUN_LIKE)
    if draft is None or not draft.form or gerund_base(word) or is_verb:
        return ""
    places = [i for i, token in enumerate(draft.tokens) if i and token.lower in PREPOSITIONS]
    if word in PREPOSITIONS:
        return line_of(draft.tokens[: places[-1]]) if places else ""
    objects = len(draft.object_tokens)
    return line_of(draft.tokens[:-objects]) if objects and not places else ""


def _before_preposition(tokens: Sequence[Token]) -> list[Token]:
    for index, token in enumerate(tokens):
        if index and token.lower in PREPOSITIONS | {"that", "who", "which"}:
            return list(tokens[:index])
    return list(tokens)


def _is_new_item(current: Draft, piece: Piece, tokens: Sequence[Token]) -> bool:
    """Whether nouns after a task are a task of their own, not more of its object."""
    if current.form is None or current.light_words or not current.object_tokens:
        return True
    if piece.separator != "," and not piece.comma:
        return False
    head = _before_preposition(tokens)[-1].lower
    object_head = _before_preposition(current.object_tokens)[-1].lower
    return bool(gerund_base(head)) or (is_work_noun(head) and not is_work_noun(object_head))


def verb_form(
    tokens: Sequence[Token], before: Form | None, *, is_next: bool = False
) -> Form | None:
    """The form in which an item opens with a verb, judged beside the verb of the item before."""
    word = tokens[0].lower
    after = tokens[1].lower if len(tokens) > 1 else ""
    forms = forms_of(word)
    opens_object = after in DETERMINERS | PARTICLES | POINTING | {"everything"}
    if gerund_base(word):
        return "ing"
    if before in {"s", "past"} and before in forms and after:
        return before
    if "base" not in forms:  # an unknown word in a list of verbs: "…, rip off the old tiles"
        is_verb = not forms and before == "base" and opens_object and not word.endswith("s")
        return "base" if is_verb and word not in DETERMINERS | PREPOSITIONS else None
    if word in STATIVES - {"see", "find", "care", "wait", "drink", "look", "ask", "decide"}:
        return None
    if word in LIGHT_BASES:
        return "base" if after else None
    if word not in NOUN_LIKE or is_next or opens_object:
        return "base"
    if before == "base":
        return "base" if after and after != "of" else None
    is_alone = not before and after and after not in PREPOSITIONS
    return "base" if is_alone and not is_work_noun(after) else None


def _is_plausible(tokens: Sequence[Token], *, is_listed: bool) -> bool:
    """Whether nouns alone can stand for a task; not so people, tools, places, numbers, remarks."""
    words = [token.lower for token in without_tail(tokens)]
    if not words or len(words) > 12 or {"me", "us"} & set(words):
        return False
    head = _before_preposition(without_tail(tokens))[-1].lower
    if {head, singular(head)} & (VAGUE | TOOLS) or {head, words[0]} & OTHER_PRONOUNS:
        return False
    if head[0].isdigit() or words[0] in PREPOSITIONS:
        return False
    if head.endswith(("ly", "ed", "ful", "ous", "able")) and not is_work_noun(head):
        return False
    if is_listed:
        return len(words) > 1 or is_work_noun(head) or not is_person(head)
    if is_person(head) or set(words) & TOOLS or words[0][0].isdigit():
        return False
    is_single_thing = words[0] in {"a", "an", "the", "my", "our"} and not head.endswith("s")
    return not is_single_thing and not set(words[1:]) & AUXILIARIES
