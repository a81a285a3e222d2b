"""Addresses of the staff pages."""

from __future__ import annotations

from django.urls import path

from chat.staff import views

app_name = "staff"
urlpatterns = [
    path("sessions", views.session_list, name="sessions"),
    path("sessions/<uuid:session_id>", views.session_detail, name="session"),
]
