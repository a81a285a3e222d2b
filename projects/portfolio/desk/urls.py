"""Addresses of the owner's desk."""

from __future__ import annotations

from django.urls import path

from projects.portfolio.desk.views import desk
from projects.portfolio.public.views import pages

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
    path(_PREVIEW, pages.for_owner(pages.ask_page), name="preview"),
    path(f"{_PREVIEW}/work", pages.for_owner(pages.work_page), name="preview_work"),
    path(f"{_PREVIEW}/kept", pages.for_owner(pages.kept_page), name="preview_kept"),
    path(f"{_PREVIEW}/ask", pages.for_owner(pages.ask), name="preview_ask"),
    path(f"{_PREVIEW}/new", pages.for_owner(pages.new), name="preview_new"),
    path(f"{_PREVIEW}/image/photo", pages.for_owner(pages.photo), name="preview_photo"),
    path(f"{_PREVIEW}/image/<uuid:shown_id>", pages.for_owner(pages.image), name="preview_image"),
    path(f"{_PREVIEW}/<slug:entry_slug>", pages.for_owner(pages.entry_page), name="preview_entry"),
]
