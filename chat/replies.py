"""Short replies: what counts as a yes, a no or “that is all” when it is the whole message.

Nothing longer is read here (DECISIONS 48): “ok, rename it to Garden” and “of course not” are no
yes. With a model they are the model's to understand; without one the preview stays, with its
buttons, whose words stand in these lists. A translation of the interface brings its own replies.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

_YES: Final = pgettext_lazy(
    "short replies that agree, separated by |",
    "yes|yes please|yes do it|yes create it|yes use it|ok|okay|sure|go ahead|do it|please do"
    "|create it|use it|looks good|yeah|yep|yup|correct|right|thats right|exactly|definitely"
    "|absolutely|for sure|yes lets go|lets go",
)
_NO: Final = pgettext_lazy(
    "short replies that decline, separated by |",
    "no|no thanks|not now|not yet|later|never mind|stop|cancel|skip|neither|none|leave it"
    "|no leave it|no leave it as it is|no leave them",
)
_ALL: Final = pgettext_lazy(
    "short replies that take everything offered, separated by |",
    "all|all of them|all of those|all of these|all of the above|i do those|i do all"
    "|i do all of them|i do all of those|those apply|that applies|those are right|both"
    "|both of them|everything",
)
_FINISH: Final = pgettext_lazy(
    "short replies that end the questions, separated by |",
    "create it|lets create it|thats it|that is it|thats all|that is all|thats enough"
    "|thats enough create it|look it over|review the draft|no more questions|enough questions"
    "|im done|done|finish|stop|thats all i do|thats all thanks|thats everything"
    "|i think thats everything|that covers it|nothing else|nothing more|no more|all done"
    "|im finished|finished|im good",
)
_LATER: Final = pgettext_lazy(
    "short replies that leave a question open, separated by |",
    "later|skip|skip it|i dont know|dont know|no idea",
)


def _normalized(text: str) -> str:
    """Without case, commas, full stops and apostrophes; a question mark stays, so it is no yes."""
    return " ".join(re.sub(r"['’]", "", re.sub(r"[,.!¡…]", " ", text.casefold())).split())


def _is_one_of(replies: str | Promise, text: str) -> bool:
    return _normalized(text) in {_normalized(item) for item in str(replies).split("|")}


# Each says whether a text is one of these replies and nothing else.
is_yes = partial(_is_one_of, _YES)
is_no = partial(_is_one_of, _NO)
is_all = partial(_is_one_of, _ALL)
is_later = partial(_is_one_of, _LATER)
is_finish = partial(_is_one_of, _FINISH)
