"""What lies near a question in meaning among a person's newest things, where vectors are set up.

The candidates are embedded with the question, in one call; nothing is stored.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from typing import Any, Final

import numpy as np
from django.conf import settings

from chat.identity import Identity
from chat.models import Message
from chat.searching import Search
from futura.errors import FuturaError
from onet.embeddings.encoders import LEXICAL, encoder
from projects.searching import EACH, Kind, Match, match_of, sources_of

log = logging.getLogger(__name__)

NEWEST: Final = 40  # candidates of each kind
CHARS: Final = 600  # of each candidate that are embedded
EXCERPT_CHARS: Final = 220
NEAR: Final = 0.35  # cosine; what is farther away is not what was meant


def near_matches(identity: Identity, search: Search, there: Collection[Match]) -> list[Match]:
    """At most six rows that are near, the nearest first, without those that are `there`.

    Nothing where no embedding model is set up, or while it is away. A constant number of queries.
    """
    if settings.EMBEDDINGS in {"", LEXICAL} or not search.typed or not identity.participant_ids:
        return []
    known = {match.id for match in there}
    candidates = [one for one in _candidates(identity) if one[1].pk not in known]
    texts = [" ".join(text.split())[:CHARS] for _kind, _row, text in candidates]
    if not texts:
        return []
    try:
        vectors = encoder(settings.EMBEDDINGS)([search.typed, *texts])
    except FuturaError as error:
        log.warning("the search goes on without vectors: %s", error)
        return []
    scores = vectors[1:] @ vectors[0]
    best = [int(place) for place in np.argsort(-scores)[:EACH] if scores[place] >= NEAR]
    return [
        match_of(*candidates[place][:2], search).model_copy(
            update={"excerpt": texts[place][:EXCERPT_CHARS]}
        )
        for place in best
    ]


def _candidates(identity: Identity) -> Sequence[tuple[Kind, Any, str]]:
    found: list[tuple[Kind, Any, str]] = []
    for kind, rows, fields in sources_of(identity):
        for row in rows.order_by("-updated_at")[:NEWEST]:
            text = " ".join(str(getattr(row, name) or "") for name in fields if "__" not in name)
            found.append((kind, row, text))
    own = Message.objects.filter(
        session__participant_id__in=identity.participant_ids, session__deleted_at=None,
        superseded_at=None,
    ).select_related("session")  # fmt: skip
    found += [("message", row, row.text) for row in own.order_by("-created_at")[:NEWEST]]
    return found
