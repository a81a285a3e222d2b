"""Addresses of the staff pages."""

from __future__ import annotations

from django.urls import path

from chat.staff.views import model, sessions, why

app_name = "staff"
urlpatterns = [
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
