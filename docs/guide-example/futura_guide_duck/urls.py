"""Addresses of the duck, below `/guides/duck/`."""

from django.urls import path

from futura_guide_duck import views

app_name = "duck"
urlpatterns = [
    path("", views.begin, name="begin"),
    path("<uuid:session_id>", views.talk, name="talk"),
]
