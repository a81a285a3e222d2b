"""Addresses of what staff do with lists, below `/staff/`."""

from __future__ import annotations

from django.urls import path

from tasks.staff.views import corrections, second

app_name = "staff_tasks"
_TASK = "sessions/<uuid:session_id>/tasks/<uuid:task_id>"
urlpatterns = [
    *(
        path(f"{_TASK}/{form.replace('_', '-')}", corrections.correct, {"form": form}, name=form)
        for form in ("match", "edit", "merge", "take_out")
    ),
    path("sessions/<uuid:session_id>/take-back", corrections.take_back, name="take_back"),
    path("second", second.overview, name="second"),
    path("second/next", second.following, name="next"),
    path("second/<uuid:task_id>", second.code, name="code"),
]
