"""Filters of the pages of portfolios."""
