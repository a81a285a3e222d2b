"""The wordings of the guide's own voice: openings, acknowledgements, offers, closings."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tasks.elicitation.state import SurveyState

Words = str | Promise

OPENINGS_AS: Final = (
    _("I would like to hear what you really do {role}. Take a normal week, from its first hour "
      "to its last: what fills it? Small jobs count as much as big ones."),
    _("No two people do the same things {role}, so I am curious about your version of it. What "
      "do you spend your days on, large and small?"),
    _("Let us put together what you actually do {role}, beyond what any job description says. "
      "What does a typical week consist of?"),
)  # fmt: skip
OPENINGS_TITLE: Final = (
    _("“{title}” can mean a lot of different things from one place to the next. What do you "
      "really do in a normal week, small jobs and big ones?"),
    _("“{title}” is what it says on the door, and I would like to hear what happens behind it. "
      "What fills a typical week of yours?"),
)  # fmt: skip

TOOK_ONE: Final = (
    _("Good, I have put down {a}."),
    _("{A}, noted."),
    _("Then {a} should not be missing."),
    _("Thanks for mentioning {a}."),
    _("Right, {a}."),
    _("I see, {a} too."),
    _("{A}: good to know."),
    _("That adds {a} to the picture."),
    _("Let me add {a}."),
    _("Clear, {a} will be on the list."),
)
TOOK_TWO: Final = (
    _("Thanks, both {a} and {b} are on the list."),
    _("{A} and {b}: I can picture that."),
    _("I see, {a}, and {b} besides."),
    _("Good, I have put down {a} as well as {b}."),
    _("That tells me something about your days, with {a} and {b}."),
    _("Right, {a} and {b} both belong to it."),
)
TOOK_MANY: Final = (
    _("That is quite a range, from {a} to {b}."),
    _("Thanks, that helps a lot, everything from {a} to {b}."),
    _("I can see the spread of it now, with {a} at one end and {b} at another."),
    _("A full week, then, from {a} through to {b}."),
    _("You cover a good deal there, {a} and {b} among other things."),
)
TOOK_YES: Final = (
    _("Good, that goes on the list."),
    _("I see, that belongs to it as well."),
    _("Right, noted."),
    _("Thanks, that is one more piece."),
)
TOOK_NO: Final = (
    _("Fair enough, we leave that out."),
    _("Understood, that is not yours."),
    _("Good to know, then I will not ask about it again."),
    _("All right, that one belongs to others."),
    _("Thanks, a clear no helps too."),
)
TOOK_VAGUE: Final = (
    _("That is fine, rough words are enough here."),
    _("No need for a polished answer."),
    _("That gives me a first idea."),
    _("All right, let me try from another side."),
    _("No problem, it is hard to describe what one does every day."),
)
TOOK_BARE_YES: Final = (
    _("All right, I take that as a yes."),
    _("Good to hear, you can always come back to it."),
    _("Yes, then; examples are welcome at any time."),
)
TAP_THEM: Final = (
    _("Then tap the ones that are yours, and I will add them."),
    _("Good, a tap on a card puts it on your list."),
)
TOOK_KNOWN: Final = (
    _("Yes, I have that already."),
    _("Right, that matches what you said before."),
    _("I see, that fits with the rest."),
)
TOOK_NOTHING_MORE: Final = (
    _("That is all right, nobody has the whole list in mind."),
    _("Fine, one forgets the ordinary things most easily."),
    _("No harm, perhaps it helps to come at it differently."),
)
NOT_YET: Final = (
    _("You can go on to your list whenever you like."),
    _("Nearly, and your list is open to you at any time."),
)
ABOUT_US: Final = (
    _("Your answers become a list of tasks that you check yourself on the next page, and you can "
      "go on to it whenever you like."),
)  # fmt: skip
HELP: Final = (
    _("Happy to make it more concrete: anything you do at work counts, however small."),
    _("Let me put it more simply: I am after the things you actually do, one by one."),
)
IN_THE_DUMP: Final = (
    _("Thanks for setting that out, I already see you {pair}."),
    _("That is a good start, I can picture {pair}."),
    _("Thanks, that gives me a first picture, with {pair} in it."),
)
DUMP_PLAIN: Final = (_("Thanks for the start, I have taken that in."),)

CARDS_ONE: Final = _("Got it, that task is noted.")
CARDS_TOTAL: Final = _("Great, that makes {total} tasks from the suggestions.")
CARDS_MORE: Final = _("Nice, {new} more tasks added.")

SUGGEST: Final = (
    _("Here are a few things that people in your line of work often do; tap what is yours. Which "
      "of these look familiar?"),
    _("Perhaps it is easier to point than to describe, so I have laid out some cards. Do any of "
      "them belong to your week?"),
    _("Some more possibilities are below, and leaving them all is fine too. Anything "
      "there that is yours?"),
)  # fmt: skip
OFFER: Final = (
    _("You have given me a full picture of your work. If more comes to mind, just write it; "
      "otherwise, shall we go through your list?"),
    _("That is a lot of good detail, thank you. Anything further is welcome, or would you like to "
      "look at your tasks now?"),
    _("I think most of it is on paper by now. Add what is missing, or should I take you to the "
      "review?"),
    _("We have covered plenty of ground. There is room for more, but is it time for the next "
      "step?"),
    _("Thanks, your account is getting rounder all the time. Feel free to add to it; or can we "
      "move ahead?"),
    _("That goes down as well. More talk first, or on to the ratings?"),
)  # fmt: skip
OFFER_PLAIN: Final = _(
    "That goes down as well, thank you. Write whatever else comes to mind; your list is open to "
    "you at any time."
)
PROCEED: Final = (
    _("Thank you, that gives me what I need. Your tasks are ready for you to look through next."),
    _("Thanks for taking the time to describe all this. On the next page you can check your tasks "
      "and change what does not fit."),
    _("That is everything then, thank you. Next comes your list, to check and to complete."),
)  # fmt: skip
GO_ON_PLAIN: Final = _("Write down whatever else comes to mind, in any order.")

FOLLOW_UP: Final = (
    _("Could you tell me more about {topic}, and which part of it is yours?"),
    _("When it comes to {topic}, what exactly do you do?"),
    _("With {topic}, what happens from start to finish?"),
    _("What goes on around {topic} in an ordinary week?"),
)


def pick(words: Sequence[Words], state: SurveyState, seed: str) -> str:
    """One wording, not yet used in this conversation while there are unused ones; remembers it."""
    order = [str(choice) for choice in words]
    random.Random(seed + order[0]).shuffle(order)  # noqa: S311
    used = state.used_phrases
    chosen = min(order, key=lambda choice: (used.count(_key(choice)), order.index(choice)))
    used.append(_key(chosen))
    return chosen


def _key(words: str) -> str:
    return words[:24]


_PLAIN_TITLE: Final = re.compile(r"[A-Za-z][A-Za-z'’\-]*(?: [A-Za-z][A-Za-z'’\-]*){0,4}")
_NO_ARTICLE: Final = re.compile(
    r"^(?:head|director|chief|vice|vp|ceo|cto|cfo|coo|president|chair|dean|lead|freelance|self|"
    r"retired|various|many|work|working|i|my|the|a|an|none|unemployed|in)\b|"
    r"\b(?:of|for|and|in|at|ing|management|services|operations|engineering|marketing|sales|support)$|"
    r"(?:ing|ics|ions|ment|s)$|\b(?:and|or|of|for|at)\b",
    re.IGNORECASE,
)
_SOUNDS_LIKE_A: Final = re.compile(r"^(?:uni(?!n|m)|use|usa|uk|eu|one|ut[ie])", re.IGNORECASE)
_SOUNDS_LIKE_AN: Final = re.compile(r"^(?:hour|honest|heir|honou?r)", re.IGNORECASE)
_SPELLED: Final = re.compile(r"^[A-Z]{2,4}\b")

SHOWN_TITLE_CHARS: Final = 80


def role_of(title: str) -> str:
    """ "as a policy analyst" where the title takes an article, else empty."""
    if _PLAIN_TITLE.fullmatch(title) is None or _NO_ARTICLE.search(title):
        return ""
    if _SPELLED.match(title):
        vowel = title[0] in "AEFHILMNORSX"
    elif _SOUNDS_LIKE_AN.match(title):
        vowel = True
    else:
        vowel = title[0].lower() in "aeiou" and _SOUNDS_LIKE_A.match(title) is None
    return f"as {'an' if vowel else 'a'} {title}"


def shown_title(title: str) -> str:
    """The title in one line, cut where it would swamp the sentence."""
    plain = re.sub(r"\s+", " ", title).strip()
    return plain if len(plain) <= SHOWN_TITLE_CHARS else plain[:SHOWN_TITLE_CHARS].rstrip() + "…"
