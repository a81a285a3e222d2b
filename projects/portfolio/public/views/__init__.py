"""Doors of visitors: the public page, and the widget on other sites."""
