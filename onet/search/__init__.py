"""Statement search: what people of the catalogue's occupations do, found in anybody's words."""

from onet.search.finding import Found, groups_for, search, search_statements

__all__ = ["Found", "groups_for", "search", "search_statements"]
