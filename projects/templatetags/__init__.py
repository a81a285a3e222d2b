"""Template tags of projects."""
