"""Address of the page of roles, below `/staff/`."""

from __future__ import annotations

from django.urls import path

from futura.people import views

app_name = "staff_people"
urlpatterns = [path("people", views.people, name="people")]
