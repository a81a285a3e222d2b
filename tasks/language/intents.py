"""What a person wants of the conversation itself: to stop, to go on, to confirm, to be helped."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final


class Stop(Enum):
    """How sure it is that the person wants to end. In doubt the guide offers (DECISIONS 9)."""

    NO = 0
    MAYBE = 1
    YES = 2


class Confirmed(Enum):
    """What a reply says about the tasks that the question named."""

    NOTHING = 0
    YES = 1
    ALL = 2


_APOSTROPHES: Final = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'", "\u00a0": " "})

_LEAD: Final = (
    r"(?:(?:ok|okay|k|yes|yeah|yep|yup|no|nope|nah|well|so|right|alright|all right|great|cool|"
    r"perfect|good|fine|thanks|thank you|honestly|actually|anyway|and|but|then|now|yes please|"
    r"i think|i'd say|i would say|i guess|i believe|i suppose|i reckon|i feel like|"
    r"otherwise|other than that|besides that|apart from that|sorry|hmm+|um+|oh|lol)\s+)*"
)
_HEDGE: Final = (
    r"(?:(?:pretty much|about|basically|really|probably|more or less|just about|all|now|"
    r"quite|literally|kind of|honestly|actually|already)\s+)*"
)
_TAIL: Final = (
    r"(?:\s+(?:for me|from me|from my side|on my end|on my side|of it|for now|for today|i do|"
    r"i did|i do really|really|i do at work|i've got|i have|i got|i can think of|"
    r"i can think of right now|that i do|that i can think of|i can say|there is|there is to it|"
    r"there is to say|to say|to add|to report|to tell|to tell you|to share|"
    r"comes to mind|i'd add|i would add|i want to add|i have to say|i wanted to say|"
    r"here|now|then|thanks|thank you|thx|basically|i think|i guess|i believe|i suppose|"
    r"with this|with the list|with my list|with that list|talking|sharing|listing|"
    r"answering|tasks|from here|to go|so far|too|honestly|mate|cheers|lol|"
    r"tbh|please|today|folks|at work))*"
)
_BE: Final = r"(?:i'm|im|i am|we're|we are|i think i'm|i think i am)"
_THAT: Final = (
    r"(?:that's|thats|that is|this is|it's|that was|that would be|that'd be|that has to be)"
)

_CORES: Final = {
    "bare": r"(?:all\s+)?(?:done|finished|complete)",
    "i am done": rf"{_BE}\s+{_HEDGE}(?:done|finished|complete|through)",
    "it is complete": r"(?:it|this|my list|the list|that list|everything)(?:'s| is| looks|"
    r" seems)\s+"
    r"(?:all\s+)?(?:complete|done|finished|everything)",
    "that is all": rf"{_THAT}\s+{_HEDGE}(?:all|it|everything|the lot|the whole list|me done|"
    r"all of it|it all|my whole job|the whole job|my job|my list|a wrap)",
    "covers": r"(?:that|this|it|which|those)(?:\s+(?:should|would|does|probably|really))*\s+"
    rf"{_HEDGE}(?:covers?|covered)\s+(?:it|everything|all|it all|it all up|all of it|my job|"
    rf"most of it)",
    "nothing": r"(?:(?:there's|there is|i have|i've got|i got|got|i've|i do)\s+)?"
    r"nothing\s+(?:else|more|further|left)",
    "no more": r"(?:(?:there's|there are|there is|i have|i've got|got)\s+)?no\s+more",
    "good": r"(?:i'm|im|i am|we're|we are)\s+(?:all\s+)?good",
    "nothing left": r"i (?:have|'ve got|got) nothing (?:to add|left)",
    "stop": r"(?:please\s+)?(?:let's|let us|can we|i want to|i'd like to|we can|i need to)\s+"
    r"(?:stop|finish|wrap up|end|wrap it up|end it|finish up|stop here|end here|end this)",
}
_CLAUSES: Final = [(name, re.compile(_LEAD + core + _TAIL)) for name, core in _CORES.items()]
_LOOSE_IN_A_LIST: Final = frozenset({"bare", "i am done"})
"""Cores that end a described routine as often as a conversation ("…, sign it, and I'm done")."""

_ASKS_TO_STOP: Final = re.compile(
    r"(?:are we|am i|is (?:that|this|it))\s+(?:all|done|finished|it|everything|enough)"
    r"(?:\s+(?:now|yet|here|then|for now))*|(?:is|was) that (?:all|it)(?: you need)?|"
    r"can i go(?: now)?"
)
_CLOSING: Final = re.compile(
    _LEAD
    + r"(?:thanks?(?: you)?(?: so much| a lot| very much| for .{0,40})?|thx|cheers|bye|goodbye|"
    r"see you|have a (?:nice|good|great) (?:day|one|evening)|please|lol|haha+|i think|i guess|"
    r"really|honestly|i (?:don't|do not|can't|cannot) (?:think|have|do) .{0,30}(?:else|more|add)|"
    r"let'?s (?:go|move|continue|proceed|see|do|get)\b.{0,40}|(?:please )?(?:show|"
    r"take) me\b.{0,40}|"
    r"what'?s next|next|you can (?:go|move|continue|proceed)\b.{0,30}|ready.{0,30}|"
    r"(?:i'm |im )?ready (?:to|for)\b.{0,40}|i (?:can|will|'ll) (?:go|move|continue|"
    r"proceed)\b.{0,40}|"
    r"(?:is|are) there anything .{0,40}|ok(?:ay)?|yes|yeah|no|nope|great|cool|good|fine|right|"
    r"(?:it )?was (?:nice|good|fun).{0,30}|nice (?:talking|chatting).{0,20}|you(?:'ve|"
    r" have) (?:got )?"
    r"(?:it|everything|all).{0,20}|) *"
)
_TIED: Final = re.compile(
    r"^(?:\W*(?:and|but|so|then)\s+)?(?:when|whenever|once|if|after|until|till|before|unless|"
    r"as soon as|by the time|while|because|since|only when)\b"
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[!?])")
_CLAUSE: Final = re.compile(
    r"[,;:()]+|\s[-–—]+\s|[–—]|\.{2,}|…|\s+(?=(?:and|but|so|then|because)\s)"
)


def _plain(text: str) -> str:
    return re.sub(r"[ \t]+", " ", text.translate(_APOSTROPHES).lower()).strip()


def _clauses(sentence: str) -> list[str]:
    parts = (part.strip(" .!?\"'*_~") for part in _CLAUSE.split(sentence))
    return [part for part in parts if part]


def _core_of(clause: str) -> str | None:
    return next((name for name, pattern in _CLAUSES if pattern.fullmatch(clause)), None)


def _is_filler(clauses: list[str]) -> bool:
    return all(
        _CLOSING.fullmatch(c) or _core_of(c) or re.fullmatch(_LEAD, c + " ") for c in clauses
    )


def _in_sentence(sentence: str) -> tuple[Stop, list[str]]:
    """What one sentence says about stopping, and the clauses that follow the phrase."""
    is_question = sentence.rstrip().endswith("?")
    clauses = _clauses(sentence)
    if is_question and any(_ASKS_TO_STOP.fullmatch(re.sub(f"^{_LEAD}", "", c)) for c in clauses):
        return Stop.MAYBE, []
    for at, clause in enumerate(clauses):
        core = _core_of(clause)
        if core is None:
            continue
        before, after = clauses[:at], clauses[at + 1 :]
        if any(_TIED.match(part) for part in (*before, *after)):
            continue
        doubtful = core in _LOOSE_IN_A_LIST and not _is_filler(before)
        return (Stop.MAYBE if doubtful or is_question else Stop.YES), after
    return Stop.NO, []


def stop_intent(text: str) -> Stop:
    """YES: the person ends the conversation. MAYBE: it sounds so, but they go on or ask.

    A phrase counts only as a clause of its own about the conversation: "I'm done" counts,
    "when the report is done" and "not done yet" do not.
    """
    sentences = [part for part in _SENTENCE.split(_plain(text)) if part and part.strip()]
    for at, sentence in enumerate(sentences):
        found, rest = _in_sentence(sentence)
        if found is Stop.NO:
            continue
        later = rest + [clause for part in sentences[at + 1 :] for clause in _clauses(part)]
        return found if _is_filler(later) else Stop.MAYBE
    return Stop.NO


def wants_to_stop(text: str) -> bool:
    """Whether the message ends the conversation beyond doubt."""
    return stop_intent(text) is Stop.YES


_SOFT_END: Final = re.compile(
    _LEAD
    + r"(?:not? (?:that|which) i (?:can think of|know of|know|can recall|can remember)|not? really|"
    r"no|nope|nah|nothing|none|not that i know|not at the moment|not right now|"
    r"nothing (?:i can think of|comes to mind|springs to mind|that i can think of|really|special|"
    r"specific|in particular)|"
    r"i (?:can't|cannot|can not|couldn't) think of (?:anything|any|much)(?: (?:else|more|"
    r"other)\w*)?"
    r"(?: right now| now| at the moment)?|"
    r"i (?:don't|do not) (?:think so|think there(?:'s| is) (?:anything|much)(?: else| more)?)|"
    r"i (?:don't|do not) have (?:anything|much)(?: else| more)(?: to add)?|"
    r"(?:pretty much )?you(?:'ve| have) (?:got )?(?:it all|everything|covered it)|"
    r"(?:i have |i've )?(?:no (?:more |other )?|out of )ideas?|"
    r"(?:there(?:'s| is) )?not much (?:else|more))(?: to add| i think| really| no)*"
)


def has_nothing_to_add(text: str) -> bool:
    """Whether a reply to "anything else?" says no without ending ("not that I can think of")."""
    sentences = [part for part in _SENTENCE.split(_plain(text)) if part and part.strip()]
    clauses = _clauses(sentences[0]) if sentences else []
    return bool(clauses) and _SOFT_END.fullmatch(clauses[0]) is not None


_GO_ON: Final = re.compile(
    _LEAD + r"(?:yes|yeah|yep|yup|sure|sure thing|ok|okay|k|please|yes please|please do|go ahead|"
    r"let's (?:go|do it|do that|move on|continue|proceed|see it|see)(?: please| then| now|"
    r" to .{0,30})?|"
    r"continue|proceed|next|next step|move on|carry on|ready|i'm ready|im ready|i am ready|we can|"
    r"show me(?: the list| my list| it| the tasks| my tasks)?|(?:i'm |im )?ready (?:to|"
    r"for) .{0,30}|"
    r"sounds good|sounds great|good|great|fine|that's fine|fine by me|works for me|perfect|"
    r"(?:i'm |im )?happy to (?:continue|proceed|go on|move on)|absolutely|definitely|of course|"
    r"(?:we|you) can (?:go on|continue|proceed|move on)|i'd like (?:to|that).{0,40}|go|go on|"
    r"(?:yes )?i (?:would|do|am|agree)|let's|correct|right|exactly|for sure|alright|all right)"
    r"(?: thanks| thank you| please| then| now)*"
)


def accepts_offer(text: str) -> bool:
    """Whether a reply to "shall we go on?" agrees and says nothing else."""
    if "?" in text:
        return False
    clauses = [c for part in _SENTENCE.split(_plain(text)) for c in _clauses(part or "")]
    if not clauses or _GO_ON.fullmatch(clauses[0]) is None:
        return False
    return all(_GO_ON.fullmatch(c) or _CLOSING.fullmatch(c) or _core_of(c) for c in clauses)


_NUMBER: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "2": 2, "3": 3, "4": 4, "5": 5}
_ALL: Final = re.compile(
    r"(?:yes|yeah|yep|yup|sure|right|correct|exactly|definitely|absolutely|honestly|well|oh|"
    r"i think|"
    r"i do|i'd say|[\s,.!])*"
    r"(?:all (?:of )?(?:those|them|these|the above|it)|i do (?:those|them|all|both|"
    r"these)(?: of (?:those|them))?|"
    r"(?:those|these|they) (?:all )?(?:apply|are right|are all right|are mine|fit)|that applies|"
    r"all (?P<number>two|three|four|five|[2-5])(?: of (?:them|those|these))?|"
    r"both(?: of (?:them|those|these))?|"
    r"everything (?:you (?:said|named|listed)|there|on (?:it|the list))|all the above|"
    r"every one of them)"
    r"(?=$|[\s,.!;–—-])"
)
_YES: Final = re.compile(
    r"(?:(?:oh|well|ah|hmm+|um+),?\s+)?(?:(?:yes|yeah|yep|yup|correct|right|exactly|definitely|"
    r"absolutely|for sure|sure|indeed|of course|that's right)(?=$|[\s,.!;–—-])|"
    r"(?:i do|we do|that too|it does|very much(?: so)?)(?=$|[,.!;–—-]))"
)
_TAKEN_BACK: Final = re.compile(
    r"\b(?:not|n't|no|but|except|only|just|apart from|besides|other than|rather|instead|"
    r"never|hardly|"
    r"rarely|neither|none|zero|nobody|someone else|used to|the first|the second|the last|"
    r"the former|"
    r"the latter|one of|some of|half of|most of|part of|sort of)\b|n't\b"
)
_NOT_A_YES: Final = re.compile(
    r"^(?:right (?:now|after|before|away|at|when|then|there|up|on)\b|"
    r"(?:correct|right)\s+(?:the|any|my|our|all|mistakes?|errors?|wrongs?|invoices?|a|an|"
    r"them|those)\b|"
    r"(?:sure|definitely|absolutely|exactly|yes|yeah|right)\W+(?:not|no|zero|none|nope)\b|"
    r"(?:yes|yeah|sure)\s*\?|all (?:of )?(?:my|our|the)\b(?! above)|"
    r"all (?:two|three|four|five|[2-5]) (?!of (?:them|those|these)\b)\w+)"
)


def confirmation(text: str, question: str, *, named: int | None = None) -> Confirmed:
    """What the start of a reply confirms of the tasks that `question` named.

    `named` is how many tasks the question named (counted from the question when None): "all
    three" needs three. Anything taken back in the same sentence ("yes, but not …", "only the
    first") is no confirmation; that is for the extraction to sort out.
    """
    count = len(tasks_named(question)) if named is None else named
    start = _SENTENCE.split(_plain(text))[0] or ""
    if count == 0 or _NOT_A_YES.search(start):
        return Confirmed.NOTHING
    found = _ALL.match(start)
    if _TAKEN_BACK.search(start):
        return Confirmed.NOTHING
    if found is not None:
        number = found.group("number")
        if number is not None and _NUMBER[number] != count:
            return Confirmed.NOTHING
        return Confirmed.NOTHING if "both" in found.group() and count != 2 else Confirmed.ALL
    return Confirmed.YES if _YES.match(start) else Confirmed.NOTHING


def confirms(text: str, question: str) -> bool:
    """Whether a reply confirms the tasks that `question` named."""
    return confirmation(text, question) is not Confirmed.NOTHING


_ASKS_OF_YOU: Final = re.compile(
    r"\b(?:do|does|did|are|is|would) (?:you|your \w+|any of that|that)(?: (?:also|ever|"
    r"often|usually|"
    r"sometimes|regularly|personally|still|involve|include|spend (?:any )?time|have to|"
    r"handle|do))*\s+"
    r"(?P<named>[^?]+)\?",
    re.IGNORECASE,
)
_ALTERNATIVES: Final = re.compile(r",\s*(?:or|and)\s+|,\s*|\s+or\s+", re.IGNORECASE)
_EMPTY: Final = re.compile(
    r"(?:anything|something|things?|stuff|any (?:other|more|tasks?)|that|it|else|more|similar)\b.*|"
    r"as part of .*|.{0,3}",
    re.IGNORECASE,
)


def tasks_named(question: str) -> list[str]:
    """The tasks a yes-or-no question puts forward: "Do you plan or teach?" names two."""
    asked = list(_ASKS_OF_YOU.finditer(question))
    if not asked:
        return []
    named = re.split(r"\s+[–—-]\s+|[;:]", asked[-1].group("named"))[0]
    parts = (part.strip(" .,") for part in _ALTERNATIVES.split(named))
    return [part for part in parts if not _EMPTY.fullmatch(part)]


_CLEAR_NO: Final = re.compile(
    r"(?:no|nope|nah|never|not at all|not me|none(?: of (?:that|those|them|these))?|neither|"
    r"i (?:don't|do not|never|didn't)(?: (?:really |ever |personally )?(?:do|handle|have|need|"
    r"deal with|get involved)\b[^,.!?;]*)?(?=$|[,.!;])|"
    r"we (?:don't|do not)|(?:that's|it's|that is) (?:not (?:me|my|mine|part|something)|"
    r"someone else|done by|my \w+'s job)|"
    r"not (?:part of|my|in my|something|something i)|(?:someone|somebody) else (?:does|handles)|"
    r"not i)(?=$|[\s,.!;–—-])"
)
_VAGUE_NO: Final = re.compile(
    r"(?:not really|not much|not sure|no idea|no clue|dunno|nothing much|no comment|"
    r"(?:i )?(?:don't|do not) (?:really )?know)\b"
)


_FILLER: Final = r"^(?:(?:lol|haha+|ha|oh|well|um+|hmm+|honestly|actually|sorry|ah)[\s,.!]+)+"


def is_clear_no(text: str) -> bool:
    """Whether a reply starts with a clear no ("No, I don't do that"); "not really" is vague."""
    start = re.sub(_FILLER, "", _plain(text).lstrip(" .,!"))
    return _VAGUE_NO.match(start) is None and _CLEAR_NO.match(start) is not None


def is_clear_yes(text: str) -> bool:
    """Whether a reply starts with a clear yes that is not taken back at once."""
    start = (_SENTENCE.split(_plain(text))[0] or "").lstrip(" .,!")
    yes = (
        _YES.match(start)
        or _ALL.match(start)
        or re.match(r"(?:sometimes|often|daily|weekly|every day|all the time|a lot)\b", start)
    )
    return yes is not None and _NOT_A_YES.search(start) is None


_ASKS_BACK: Final = re.compile(
    r"what (?:do|did) you mean|what exactly do you mean|what does that mean|"
    r"what do you want(?: to know)?|"
    r"what (?:kind|sort|type)s? of (?:things?|tasks?|stuff|answers?)|(?:can|"
    r"could) you (?:give|show) (?:me )?(?:an? |some )?"
    r"(?:examples?|hints?|ideas?)|(?:like|such as) what|for example\?|i don't (?:understand|"
    r"get)(?: the| your)?"
    r"(?: question| it| what)?|can you (?:rephrase|clarify|explain|be more specific)|(?:huh|"
    r"what|pardon|sorry)\?+$|"
    r"what should i (?:say|write|tell)|not sure what (?:you mean|to say|you want|to write)|"
    r"(?:i )?(?:don't know|dunno|no idea) what (?:to say|you (?:mean|want))|examples? please"
)
_ASKS_WHY: Final = re.compile(
    r"why (?:do|are|should|would|did) (?:you|we|i)\b.{0,40}(?:ask|need|want|know|answer|say|tell)|"
    r"what(?:'s| is) (?:this|it|that|the (?:point|purpose)(?: of this)?)(?: all)?(?: for|"
    r" about)?\?|"
    r"what (?:happens|will happen) (?:with|to) (?:this|my|it)|who (?:sees|reads|will see|"
    r"gets) (?:this|my)|"
    r"how (?:long|many (?:more )?questions?) .{0,40}\?|how much (?:longer|more) .{0,30}\?|"
    r"are you (?:a |an )?(?:bot|robot|human|person|real|ai|machine)"
)


def asks_for_help(text: str) -> bool:
    """Whether the person asks what is meant, or for an example."""
    return _ASKS_BACK.search(_plain(text)) is not None


def asks_about_us(text: str) -> bool:
    """Whether the person asks why, how long, or who is asking."""
    return _ASKS_WHY.search(_plain(text)) is not None
