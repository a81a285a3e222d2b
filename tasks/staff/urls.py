"""Addresses of what staff do with lists, below `/staff/`."""

from __future__ import annotations

from django.urls import path

from tasks.staff import views

app_name = "staff_tasks"
_TASK = "sessions/<uuid:session_id>/tasks/<uuid:task_id>"
urlpatterns = [
    *(
        path(f"{_TASK}/{form.replace('_', '-')}", views.correct, {"form": form}, name=form)
        for form in ("match", "edit", "merge", "take_out")
    ),
    path("sessions/<uuid:session_id>/take-back", views.take_back, name="take_back"),
    path("second", views.overview, name="second"),
    path("second/next", views.following, name="next"),
    path("second/<uuid:task_id>", views.code, name="code"),
]
