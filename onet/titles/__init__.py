"""From a job title in anybody's words to occupations: ranking, and offers while typing."""

from onet.titles.finding import rank_occupations, suggest_titles

__all__ = ["rank_occupations", "suggest_titles"]
