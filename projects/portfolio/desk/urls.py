"""Addresses of the owner's desk."""

from __future__ import annotations

from django.urls import path

from projects.portfolio.desk.views import desk, previews

app_name = "portfolio_desk"

_DESK = "portfolio/<uuid:portfolio_id>/desk"
_PREVIEW = f"{_DESK}/preview"

urlpatterns = [
    path(_DESK, desk.questions, name="questions"),
    path(f"{_DESK}/conversations/<uuid:visit_id>", desk.conversation, name="conversation"),
    path(f"{_DESK}/unanswered", desk.inbox, name="inbox"),
    path(f"{_DESK}/unanswered/<uuid:question_id>", desk.answer, name="answer"),
    path(f"{_DESK}/cost", desk.cost, name="cost"),
    path(f"{_DESK}/page", desk.publish, name="publish"),
    path(_PREVIEW, previews.preview, name="preview"),
    path(f"{_PREVIEW}/work", previews.work, name="preview_work"),
    path(f"{_PREVIEW}/kept", previews.kept, name="preview_kept"),
    path(f"{_PREVIEW}/ask", previews.ask, name="preview_ask"),
    path(f"{_PREVIEW}/new", previews.new, name="preview_new"),
    path(f"{_PREVIEW}/image/photo", previews.photo, name="preview_photo"),
    path(f"{_PREVIEW}/image/<uuid:shown_id>", previews.image, name="preview_image"),
    path(f"{_PREVIEW}/<slug:entry_slug>", previews.entry, name="preview_entry"),
]
