"""Addresses of the staff pages."""

from __future__ import annotations

from django.urls import path

from chat.staff.views import desk, lists, model, why

app_name = "staff"
urlpatterns = [
    path("sessions", lists.session_list, name="sessions"),
    path("sessions/<uuid:session_id>", desk.session_detail, name="session"),
    path("sessions/<uuid:session_id>/mark", desk.mark, name="mark"),
    path("sessions/<uuid:session_id>/replay", desk.replay, name="replay"),
    path("sessions/<uuid:session_id>/why", why.of_session, name="why"),
    path("changes/why", why.of_changes, name="why_changes"),
    path("log", lists.log, name="log"),
    path("model", model.settings, name="model"),
    path("model/test", model.test, name="model_test"),
    path("model/clear", model.clear, name="model_clear"),
]
