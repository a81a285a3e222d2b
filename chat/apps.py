"""Registers the chat app with Django."""

from __future__ import annotations

from django.apps import AppConfig


class ChatConfig(AppConfig):
    """The chat app."""

    name = "chat"
    default_auto_field = "django.db.models.BigAutoField"
