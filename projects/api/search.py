"""JSON for programs: one search over everything a person has."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from chat.identity import identity_of
from chat.searching import QUERY_CHARS, Search
from projects.commands.reads import MatchesOut
from projects.searching import matches_of

router = Router(tags=["Search"])


class SearchIn(Schema):
    """Words to look for."""

    q: str = Field("", max_length=QUERY_CHARS)


@router.get("/search", response=MatchesOut, url_name="search", summary="Search everything")
def get_search(request: HttpRequest, query: Query[SearchIn]) -> MatchesOut:
    """To-dos, projects, drafts, notes, conversations and work tasks that have all the words, at
    most six of a kind. A token needs to read all areas.
    """
    return MatchesOut(matches=matches_of(identity_of(request), Search.of(query.q)))
