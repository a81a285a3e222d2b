"""Statement search: what people of the catalogue's occupations do, found in anybody's words."""

from onet.search.finding import Query, Results, search

__all__ = ["Query", "Results", "search"]
