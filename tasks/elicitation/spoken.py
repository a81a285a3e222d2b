"""Holds a streamed reply to its limits: sentences, one question, never one asked before.

Words pass as they come. Only what may become a question, a greeting or markup waits for the end
of its sentence, so a repeated question is replaced before anybody saw it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tasks.elicitation.gaps import is_repeat
from tasks.elicitation.state import Asked

_END: Final = re.compile(r"[.!?…]+[\"'”’)]*(?=\s)")
_SPLIT: Final = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+")
_ABBREVIATION: Final = re.compile(r"\b(?:e\.g|i\.e|etc|vs|Mr|Mrs|Ms|Dr|St|No|approx)\.$")
_MAY_ASK: Final = re.compile(
    r"(?:^|[,;:–—-]\s*|\b(?:and|but|so|or|then)\s+|\s)(?:what|which|who|whom|whose|how|when|where|why|"
    r"do|does|did|are|is|were|was|have|has|can|could|would|will|should|shall|any|anything|"
    r"anyone|is there|are there|tell me|may i)\b",
    re.IGNORECASE,
)
_GREETING: Final = re.compile(
    r"^(?:hi|hello|hey|hiya|greetings|welcome|good (?:morning|afternoon|evening|day))\b"
    r"(?:\s+(?:there|again|everyone|to you))?[\s,!.–—-]*",
    re.IGNORECASE,
)
_FIRST_WORDS: Final = 12  # characters that must have come before a greeting can be ruled out
_EXAMPLES: Final = re.compile(
    r"\b(?:such as|like|for example|for instance|including|e\.g\.)\b|:\s|\n\s*[-*•\d]",
    re.IGNORECASE,
)


class SpokenReply:
    """One reply on its way. `question` is what it must ask, empty where anything goes."""

    def __init__(
        self,
        *,
        asked: Sequence[Asked],
        question: str,
        max_sentences: int,
        may_ask: bool = True,
        keep_whole: bool = False,
    ) -> None:
        self._asked = asked
        self._question = question
        self._room = max_sentences
        self._may_ask = may_ask
        self._keep_whole = keep_whole
        self._pending = ""
        self._shown = 0
        self._said = ""
        self.has_asked = False

    @staticmethod
    def sentences_of(text: str) -> list[str]:
        """The sentences of a finished text."""
        return [part.strip() for part in _SPLIT.split(text.strip()) if part.strip()]

    def resume(self, said: str) -> None:
        """Takes up a reply that broke off after these words: they count, and stay as they are."""
        begin = max((found.end() for found in _END.finditer(said + " ")), default=0)
        whole, begun = said[:begin], said[begin:]
        self._room -= len(self.sentences_of(whole))
        self.has_asked = "?" in whole
        self._said = said
        self._pending = begun.lstrip()
        self._shown = len(self._pending)

    @property
    def is_over(self) -> bool:
        """Nothing more may be said."""
        return self.has_asked or self._room <= 0

    def hear(self, delta: str) -> Iterator[str]:
        """What may be shown now that more has come."""
        self._pending += delta.replace("\x00", "")
        if not self._shown:
            self._pending = self._pending.lstrip()
        while not self.is_over:
            end = self._sentence_end()
            if end is None:
                break
            sentence, self._pending = self._pending[:end], self._pending[end:].lstrip()
            yield from self._close(sentence)
        if not self.is_over:
            yield from self._partly()

    def finish(self) -> Iterator[str]:
        """The rest, and the question where it is still missing."""
        rest = self._pending.strip()
        self._pending = ""
        if rest and not self.is_over:
            yield from self._close(rest if rest[-1:] in ".!?…”\"')" else rest + ".")
        if self._question and self._may_ask and not self.has_asked:
            yield from self._say_question()

    def _sentence_end(self) -> int | None:
        start = 0
        while found := _END.search(self._pending, start):
            if not _ABBREVIATION.search(self._pending[: found.end()]):
                return found.end()
            start = found.end()
        return None

    @property
    def _last_place_is_kept(self) -> bool:
        """Whether the one sentence that is left belongs to the question."""
        return self._may_ask and bool(self._question) and self._room <= 1

    def _close(self, sentence: str) -> Iterator[str]:
        shown, self._shown = self._shown, 0
        plain = sentence if shown else _tidy(sentence, is_first=not self._said)
        if not plain or (self._keep_whole and _EXAMPLES.search(plain)):
            return
        if plain.endswith("?") or "?" in plain[-3:]:
            yield from self._close_question(plain, shown)
        elif shown or not self._last_place_is_kept:
            self._room -= 1
            yield from self._say(plain[shown:], joined=bool(shown))

    def _close_question(self, sentence: str, shown: int) -> Iterator[str]:
        fits = self._may_ask and not is_repeat(sentence, "", self._asked)
        if fits:
            self.has_asked = True
            self._room -= 1
            yield from self._say(sentence[shown:], joined=bool(shown))
            return
        if shown:  # its beginning stands already; it must not become a question
            self._room -= 1
            yield from self._turn_aside(sentence[:shown])
        elif self._may_ask and self._question:
            yield from self._say_question()

    def _turn_aside(self, shown: str) -> Iterator[str]:
        """Ends what was begun, or lets the planned question follow where a clause is open."""
        is_open = shown.rstrip()[-1:] in ",;:–—-"
        if not (self._may_ask and self._question):
            self._said += "…"
            yield "…" if is_open else "."
        elif is_open:
            self.has_asked = True
            lead = "" if shown[-1:].isspace() else " "
            self._said += self._question
            yield lead + self._question[:1].lower() + self._question[1:]
        else:
            self._said += "."
            yield "."
            yield from self._say_question()

    def _say_question(self) -> Iterator[str]:
        self.has_asked = True
        self._room -= 1
        yield from self._say(self._question, joined=False)

    def _say(self, text: str, *, joined: bool) -> Iterator[str]:
        if not text:
            return
        lead = "" if joined or not self._said else " "
        self._said += lead + text
        yield lead + text

    def _partly(self) -> Iterator[str]:
        """What of an unfinished sentence can no longer become something else."""
        text = self._pending
        if self._keep_whole or self._last_place_is_kept or any(c in text for c in "<*#`_\n[|"):
            return
        if not self._shown and (len(text) < _FIRST_WORDS or _GREETING.match(text)):
            return
        found = _MAY_ASK.search(text)
        until = found.start() if found else text.rfind(" ")
        if until > self._shown:
            stretch = text[self._shown : until]
            lead = " " if self._said and not self._shown else ""
            self._shown = until
            self._said += lead + stretch
            yield lead + stretch


def _tidy(sentence: str, *, is_first: bool) -> str:
    """The sentence without greeting, markup and line breaks; empty when no words are left."""
    plain = re.sub(r"<[^>]*>", " ", sentence)
    plain = re.sub(r"[*#`_|\[\]<>]+", "", plain)
    plain = re.sub(r"\s+", " ", plain).strip(" -•")
    if is_first:
        without = _GREETING.sub("", plain)
        plain = without[:1].upper() + without[1:] if without != plain else plain
    return plain if re.search(r"[^\W\d_]{2}", plain) else ""
