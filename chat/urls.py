"""The engine's addresses."""

from __future__ import annotations

from django.urls import path

from chat import sse, views

app_name = "chat"

urlpatterns = [
    path("chat/claim", views.claim, name="claim"),
    path("chat/sessions/<uuid:session_id>/messages", views.send, name="send"),
    path("chat/sessions/<uuid:session_id>/stop", views.stop, name="stop"),
    path("chat/sessions/<uuid:session_id>/draft", views.draft, name="draft"),
    path("chat/sessions/<uuid:session_id>/transcribe", views.transcribe, name="transcribe"),
    path("chat/runs/<uuid:run_id>/stop", views.stop_run, name="stop_run"),
    path("chat/runs/<uuid:run_id>/retry", views.retry_run, name="retry_run"),
    path("chat/runs/<uuid:run_id>/regenerate", views.regenerate, name="regenerate"),
    path("chat/runs/<uuid:run_id>/continue", views.continue_run, name="continue_run"),
    path("chat/messages/<uuid:message_id>/waiting", views.reword, name="reword"),
    path("chat/messages/<uuid:message_id>/remove", views.remove, name="remove"),
    path("chat/messages/<uuid:message_id>/edit", views.edit, name="edit"),
    path("chat/messages/<uuid:message_id>/rating", views.rate, name="rate"),
    path("api/chat/sessions/<uuid:session_id>/events", sse.session_events, name="events"),
]
