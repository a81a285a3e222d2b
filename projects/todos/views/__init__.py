"""Doors to the pages of to-dos."""
