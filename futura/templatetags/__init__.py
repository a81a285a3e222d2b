"""Template tags of the platform."""
