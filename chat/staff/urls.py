"""Addresses of the staff pages."""

from __future__ import annotations

from django.urls import include, path

from chat.staff.views import model, operations, sessions, why

_CONVERSATIONS = [
    path("sessions", sessions.session_list, name="sessions"),
    path("sessions/<uuid:session_id>", sessions.session_detail, name="session"),
    path("sessions/<uuid:session_id>/mark", sessions.mark, name="mark"),
    path("sessions/<uuid:session_id>/replay", sessions.replay, name="replay"),
    path("sessions/<uuid:session_id>/why", why.of_session, name="why"),
    path("changes/why", why.of_changes, name="why_changes"),
    path("log", sessions.log, name="log"),
    path("model", model.settings, name="model"),
    path("model/test", model.test, name="model_test"),
    path("model/clear", model.clear, name="model_clear"),
]
_CHANGES = [
    path("operations", operations.batches, name="batches"),
    path("operations/<uuid:batch_id>", operations.batch, name="batch"),
]
urlpatterns = [
    path("", include((_CONVERSATIONS, "staff"))),
    path("", include((_CHANGES, "staff_operations"))),
]
