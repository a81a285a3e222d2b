"""The wordings of basic mode: openings, acknowledgements, offers, closings."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tasks.interview.state import SurveyState

Words = str | Promise

OPENINGS: Final = (
    _("“{title}” can mean a lot of different things from one place to the next. What do you "
      "really do in a normal week, small jobs and big ones?"),
    _("“{title}” is what it says on the door, and I would like to hear what happens behind it. "
      "What fills a typical week of yours?"),
)  # fmt: skip

TOOK_ONE: Final = (
    _("I have put down “{a}”."),
    _("“{a}” is on the list."),
    _("Then “{a}” should not be missing."),
    _("Good to know: “{a}”."),
)
TOOK_MANY: Final = (
    _("Thanks, that makes {n} more tasks."),
    _("I have put down {n} tasks from that."),
    _("{n} more tasks are on the list."),
)
TOOK_YES: Final = (_("Good, that goes on the list."), _("Right, noted."))
TOOK_NO: Final = (
    _("Fair enough, we leave that out."),
    _("Understood, that is not yours."),
    _("Thanks, a clear no helps too."),
)
TOOK_VAGUE: Final = (
    _("That is fine, rough words are enough here."),
    _("No need for a polished answer."),
    _("All right, let me try from another side."),
)
TOOK_BARE_YES: Final = (
    _("All right, I take that as a yes."),
    _("Yes, then; examples are welcome at any time."),
)
TAP_THEM: Final = (_("Then tap the ones that are yours, and I will add them."),)
TOOK_KNOWN: Final = (_("Yes, I have that already."), _("Right, that matches what you said before."))
TOOK_NOTHING_MORE: Final = (
    _("That is all right, nobody has the whole list in mind."),
    _("Fine, one forgets the ordinary things most easily."),
)
ABOUT_US: Final = (
    _("Your answers become a list of tasks that you check yourself on the next page, and you can "
      "go on to it whenever you like."),
)  # fmt: skip
HELP: Final = (
    _("Happy to make it more concrete: anything you do at work counts, however small."),
    _("Let me put it more simply: I am after the things you actually do, one by one."),
)

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
    _("Could you tell me more about “{topic}”, and which part of it is yours?"),
    _("When it comes to “{topic}”, what exactly do you do?"),
    _("With “{topic}”, what happens from start to finish?"),
    _("What goes on around “{topic}” in an ordinary week?"),
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


SHOWN_TITLE_CHARS: Final = 80


def shown_title(title: str) -> str:
    """The title in one line, cut where it would swamp the sentence."""
    plain = " ".join(title.split())
    return plain if len(plain) <= SHOWN_TITLE_CHARS else plain[:SHOWN_TITLE_CHARS].rstrip() + "…"
