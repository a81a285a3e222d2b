"""The builder's ears without a model: plain words become typed calls, or a question.

    understand(text, scene) -> Understanding

Nothing here reads the database.
"""

from projects.portfolio.builder.understanding.reading import understand
from projects.portfolio.builder.understanding.shapes import Picture, Scene, Understanding
from projects.portfolio.builder.understanding.steps import deep_wanted

__all__ = ["Picture", "Scene", "Understanding", "deep_wanted", "understand"]
