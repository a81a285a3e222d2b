"""From the pieces of a sentence to the tasks in it: lists, shared objects, what belongs on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from tasks.language import phrases
from tasks.language.clauses import Piece, pieces_of, reading_of
from tasks.language.lexicon import NOUN_LIKE, PARTICLES
from tasks.language.phrases import (
    DETERMINERS,
    PREPOSITIONS,
    is_person,
    without_leads,
    without_tail,
)
from tasks.language.reading import Reading, Speaker
from tasks.language.shapes import (
    before_preposition,
    head_of,
    is_all_of_it,
    is_plausible,
    object_at_end,
    subject_of,
    verb_form,
)
from tasks.language.tokens import Token, plain
from tasks.language.verbs import Form, gerund_base, is_base, is_work_noun

Nouns = Literal["any", "work", "none"]
"""Which bare nouns count as tasks: any plausible ones, only names of work, or none."""

_SELF_STANDING: Final = frozenset(
    """
    lecture lecturing supervise mow mowing dig digging meet meeting commute drive type typing
    cook cooking driving operate operating teach teaching listen listening bake baking fly
    flying sing singing dance dancing apologise lifting carrying apologising apologize sweep
    sweeping hoover hoovering mop mopping travel patrol patrolling fish fishing shop shopping
    cleaning cutting colouring sewing welding publish dusting ironing planting watering
    """.split()
)
_WITHOUT_OBJECT: Final = frozenset(
    "lecture lecturing travel traveling travelling commute listen listening apologize".split()
)
_BACK_REFERENCES: Final = frozenset({"it", "them"})
_LIGHT_VERBS: Final = frozenset("do does doing handle deal cover take look have".split(" "))
_TO_PEOPLE: Final = frozenset(
    "refer tell help ask show teach walk advise guide train coach call greet remind inform counsel "
    "comfort reassure encourage interview invite thank bathe wash".split()
)
_JOINED: Final = frozenset({"and", "or", ",", "nor", "then"})
_NEGATIONS: Final = frozenset({"not", "no", "never", "without", "except", "neither", "nor", "none"})


@dataclass
class Draft:
    """A task being put together.

    `form` is None for a noun; `shared` is a verb from before it, `borrowed` the object of a later
    verb, `meant` what "it" or "them" in it stands for, `light_words` how long a light verb is.
    """

    tokens: list[Token]
    form: Form | None
    shared: str = ""
    borrowed: list[Token] = field(default_factory=list)
    meant: list[Token] = field(default_factory=list)
    light_words: int = 0

    @property
    def object_tokens(self) -> list[Token]:
        """What follows the verb and its particle."""
        if self.light_words:
            return self.tokens[self.light_words :]
        rest = self.tokens[1:] if self.form else self.tokens
        while rest and rest[0].lower in PARTICLES and rest[0].lower not in {"in", "on", "about"}:
            rest = rest[1:]
        return rest


def drafts_in(
    sentence: Sequence[Token],
    *,
    nouns: Nouns,
    is_recent: bool = False,
    before: Sequence[Draft] = (),
) -> list[Draft]:
    """The person's own present tasks in one sentence, in order; `before`: those told before."""
    line = plain(sentence)
    collector = Collector(
        nouns=nouns,
        is_recent=is_recent
        or (bool(phrases.RECENT.search(line)) and not phrases.PAST_JOB.search(line)),
        is_future=bool(phrases.FUTURE.search(line)),
        before=before,
    )
    for piece in pieces_of(sentence):
        collector.feed(piece)
    if sentence[-1].lower == "?" and not collector.has_own:
        return []
    return collector.drafts


class Collector:
    """Goes over the pieces of a sentence and keeps whose doing the list is about."""

    def __init__(
        self,
        *,
        nouns: Nouns,
        is_recent: bool = False,
        is_future: bool = False,
        splits_objects: bool = False,
        before: Sequence[Draft] = (),
    ) -> None:
        self.drafts: list[Draft] = []
        self._before = before
        self._nouns: Nouns = nouns
        self._is_recent = is_recent
        self._is_future = is_future
        self._splits_objects = splits_objects
        self._speaker = Speaker.NOBODY
        self._light: str | None = None
        self._condition: list[Token] = []
        self._theirs: list[Token] = []
        self._current: Draft | None = None
        self._last_piece: list[Token] = []
        self._was_past = False
        self._is_refused = False
        self.has_own = False
        self._handlers: Final[dict[Speaker, Callable[[Piece, Reading], None]]] = {
            Speaker.OWN: self._on_own,
            Speaker.OTHER: self._on_other,
            Speaker.FACT: self._on_fact,
            Speaker.CONDITION: self._on_condition,
            Speaker.FRAME: self._on_frame,
            Speaker.NOBODY: self._on_nobody,
        }

    def feed(self, piece: Piece) -> None:
        """Takes the next piece."""
        if piece.sep in {"|", "but", "?"} or (
            piece.sep == ":" and self._speaker is Speaker.OTHER and not self._is_refused
        ):
            self._reset()
        reading = reading_of(piece, is_recent=self._is_recent, is_future=self._is_future)
        if phrases.PAST_JOB.search(plain(piece.tokens)) and reading.speaker is not Speaker.FRAME:
            self._was_past = True
        elif reading.speaker is Speaker.OWN and reading.form in {"base", "ing"}:
            self._was_past = self._was_past and reading.form != "base"
        if self._was_past and reading.speaker in {Speaker.OWN, Speaker.NOBODY}:
            self._speaker, self._current = Speaker.OTHER, None
            return
        self._handlers[reading.speaker](piece, reading)

    def own(self, rest: Sequence[Token], form: Form | None, light: str | None) -> None:
        """Starts a list that the person says of themselves."""
        self.has_own = True
        self._speaker, self._light, self._current = Speaker.OWN, light, None
        self._take(Piece(tuple(rest)), list(rest), form)

    def _reset(self) -> None:
        self._speaker, self._light, self._current, self._was_past = (
            Speaker.NOBODY,
            None,
            None,
            False,
        )

    def _on_own(self, _piece: Piece, reading: Reading) -> None:
        self.own(reading.rest, reading.form, reading.light)

    def _on_other(self, piece: Piece, reading: Reading) -> None:
        if piece.sep == "own" and reading.is_denial and len(piece.tokens) <= 5:
            self._take_back()
        self._theirs = object_at_end(piece.tokens)
        if reading.is_of_last and self.drafts and self.drafts[-1].form in {None, "ing"}:
            self.drafts.pop()
        self._speaker, self._current = Speaker.OTHER, None

    def _on_fact(self, _piece: Piece, _reading: Reading) -> None:
        self._speaker, self._current, self._light = Speaker.FACT, None, None

    def _on_condition(self, _piece: Piece, reading: Reading) -> None:
        self._current = None
        self._condition = subject_of(reading.rest[1:])
        self._speaker = Speaker.CONDITION if self._speaker is Speaker.NOBODY else self._speaker

    def _on_frame(self, _piece: Piece, _reading: Reading) -> None:
        self._speaker, self._light, self._current = Speaker.OWN, "", None

    def _on_nobody(self, piece: Piece, reading: Reading) -> None:
        rest = list(reading.rest)
        if not rest:
            return
        if rest[0].lower in _NEGATIONS or rest[-1].lower in {"no", "not", "never", "nope"}:
            self._is_refused = True
            self._speaker, self._current = Speaker.OTHER, None
            return
        if piece.is_heading and not verb_form(rest, None):
            return
        if piece.sep == ":" and rest[0].lower in DETERMINERS and is_person(rest[-1].lower):
            self._give_away()  # "windows: another company"
            return
        if piece.sep == ":" and self._speaker is Speaker.NOBODY:
            self._speaker, self._light = Speaker.OWN, ""
        if self._speaker is Speaker.OTHER:
            turns = {t.lower for t in piece.tokens[:2]} & {
                "just",
                "only",
                "instead",
                "rather",
                "mainly",
            }
            if not (turns and verb_form(rest, None)):
                return
            self._speaker = Speaker.OWN
        self._take(piece, rest, None)

    def _give_away(self) -> None:
        if self.drafts and self.drafts[-1].tokens == self._last_piece:
            self.drafts.pop()
        self._speaker, self._current = Speaker.OTHER, None

    def _take_back(self) -> None:
        if self._current is not None and self._last_piece:
            kept = [t for t in self._current.tokens if t not in self._last_piece]
            self._current.tokens = kept
            if not kept:
                self.drafts.remove(self._current)
        self._current = None

    def _take(self, piece: Piece, rest: list[Token], form: Form | None) -> None:
        rest = without_leads(rest) if form is None else rest
        self._last_piece = rest
        if not rest:
            return
        if self._current and _goes_on(self._current.tokens, piece):
            self._current.tokens = [*self._current.tokens, *rest]
            return
        before = "base" if _is_lone_base(self._current) else self._form_before()
        if form is None and not self._is_a_thing(rest):
            form = verb_form(rest, before, is_next=piece.sep == "then")
        if self._light is not None and self._current is None and rest[0].lower in _LIGHT_VERBS:
            self._add(Draft(rest, "base", light_words=self._light.count(" ") + 1))
        elif form:
            self._add_verb(piece, rest, form)
        else:
            self._take_nouns(piece, rest)

    def _is_a_thing(self, rest: Sequence[Token]) -> bool:
        """ "balance sheet" where things were asked for ("What goes into them?")."""
        is_noun = rest[0].lower in NOUN_LIKE and not (
            len(rest) > 1 and rest[1].lower in DETERMINERS
        )
        return is_noun and self._nouns == "none" and not self.has_own

    def _form_before(self) -> Form | None:
        return self._current.form if self._current else None

    def _add_verb(self, piece: Piece, rest: list[Token], form: Form) -> None:
        draft = Draft(rest, form)
        self._turn_bare_nouns(form, piece)
        if self._current and self._current.form == form and piece.sep in _JOINED:
            self._share_object(draft, piece)
        objects = draft.object_tokens
        pointing = next((t for t in objects[:3] if t.lower in _BACK_REFERENCES), None)
        if pointing is None and objects and len(without_tail(objects)) == 1:
            pointing = objects[0] if objects[0].lower in {"those", "these"} else None
        if pointing is not None:
            verb = draft.tokens[0].lower
            is_told = pointing.lower == "them" and (gerund_base(verb) or verb) in _TO_PEOPLE
            draft.meant = self._meant(is_one=pointing.lower == "it", is_person_meant=is_told)
        self._add(draft)

    def _turn_bare_nouns(self, form: Form, piece: Piece) -> None:
        """ "pick and pack orders": a lone word that may be a verb is one beside a verb."""
        for earlier in reversed(self.drafts):
            is_apart = earlier.shared or piece.sep not in _JOINED or form != "base"
            if is_apart or not _is_lone_base(earlier):
                break
            earlier.form = form

    def _meant(self, *, is_one: bool, is_person_meant: bool) -> list[Token]:
        """What "it" or "them" most likely stands for: the object before, else a condition's."""
        if self._condition or (self._theirs and not is_person_meant):
            return self._condition or self._theirs
        for earlier in reversed([*self._before, *self.drafts]):
            found = earlier.meant or without_tail(before_preposition(earlier.object_tokens))
            if not found or found[0].lower in PREPOSITIONS | {"sure"} or len(found) > 5:
                continue
            is_somebody = is_person(found[-1].lower)
            is_many = is_one and found[-1].lower.endswith("s") and len(found) > 1
            if is_somebody >= is_person_meant and not (is_one and is_somebody) and not is_many:
                return found
        return []

    def _share_object(self, draft: Draft, piece: Piece) -> None:
        """ "design, build and test APIs": the bare verbs before take the object of the last."""
        if not draft.object_tokens or draft.object_tokens[0].lower in PREPOSITIONS:
            return
        bare: list[Draft] = []
        for earlier in reversed(self.drafts):
            if earlier.form != draft.form or earlier.object_tokens:
                break
            bare.append(earlier)
        bare = [d for d in bare if d.tokens[0].lower not in _WITHOUT_OBJECT]
        if len(bare) > 1 or piece.comma:
            bare = [] if any(d.tokens[0].lower in _SELF_STANDING for d in bare) else bare
        for earlier in bare:
            earlier.borrowed = draft.object_tokens

    def _take_nouns(self, piece: Piece, rest: list[Token]) -> None:
        current = self._current
        if (
            current is not None
            and piece.sep in _JOINED
            and not self._is_new_noun(current, piece, rest)
        ):
            if self._splits_objects and (verb := _shared_with(current, rest)):
                self._add(Draft(rest, None, shared=verb))
                return
            current.tokens = [*current.tokens, *rest]
            return
        if self._accepts(rest):
            self._add(Draft(rest, None, shared=self._light or ""))
        else:
            self._current = None

    def _is_new_noun(self, current: Draft, piece: Piece, rest: list[Token]) -> bool:
        """Whether nouns after a task are a task of their own, not more of its object."""
        head = head_of(rest)
        if current.form is None or current.light_words or not current.object_tokens:
            return True
        if piece.sep != "," and not piece.comma:
            return False
        if gerund_base(head):
            return True
        return is_work_noun(head) and not is_work_noun(head_of(current.object_tokens))

    def _accepts(self, rest: list[Token]) -> bool:
        if self._speaker is Speaker.OWN and self._light is not None:
            return is_plausible(rest, lenient=True)
        if self._speaker in {Speaker.FACT, Speaker.OTHER} or self._nouns == "none":
            return False
        if any(is_work_noun(token.lower) for token in before_preposition(rest)):
            return is_plausible(rest, lenient=True)
        return self._nouns == "any" and is_plausible(rest, lenient=False)

    def _add(self, draft: Draft) -> None:
        self._theirs = []
        if draft.form == "base" and self.drafts and is_all_of_it(draft.object_tokens):
            listed = [one for one in self.drafts if one.form is None and not one.shared]
            for earlier in listed:  # "leaky taps, broken locks: I fix all of that"
                earlier.shared = plain(draft.tokens[:1])
            if listed:
                return
        self.drafts.append(draft)
        self._current = draft


def _goes_on(last: Sequence[Token], piece: Piece) -> bool:
    """ "teach them how to wash | and dress safely": a pair of verbs inside one task."""
    inner = len(last) > 3 and last[-2].lower == "to" and is_base(last[-1].lower)
    return inner and piece.sep in {"and", "or"} and not piece.comma


def _is_lone_base(draft: Draft | None) -> bool:
    """ "pick" in "pick and pack orders", read as a noun until a verb follows."""
    return bool(
        draft and draft.form is None and len(draft.tokens) == 1 and is_base(draft.tokens[0].lower)
    )


def _shared_with(draft: Draft, rest: Sequence[Token]) -> str:
    """What nouns after "or" share with the task before: "take (photos)", "meet people (by phone)".

    Empty where they are no choice beside its object or its way.
    """
    objects = draft.object_tokens
    places = [i for i, token in enumerate(draft.tokens) if i and token.lower in PREPOSITIONS]
    if rest[0].lower in PREPOSITIONS:
        ends = places[-1] if places else len(draft.tokens) - 1
        has_way = bool(places) or draft.tokens[-1].lower.endswith("ly")
        return plain(draft.tokens[:ends]) if has_way else ""
    if places == [1] and draft.form and len(draft.tokens) <= 4 and len(rest) <= 2:
        return plain(draft.tokens[:2])
    if not draft.form or not objects or places:
        return ""
    return plain(draft.tokens[: len(draft.tokens) - len(objects)])
