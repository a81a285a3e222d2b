"""Doors of the owner: the desk, and the preview of the public page."""
