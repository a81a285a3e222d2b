"""Addresses of portfolios: of their owner's pages, and of the public ones, each under a name."""

from __future__ import annotations

from typing import Final

from django.urls import include, path
from django.views.decorators.cache import never_cache

from projects.portfolio.builder import views as builder
from projects.portfolio.desk import views as desk
from projects.portfolio.doors import own_entry, own_portfolio
from projects.portfolio.entries.views import pages, pictures, story
from projects.portfolio.home import views as home
from projects.portfolio.intake import views as intake
from projects.portfolio.public import views as public
from projects.portfolio.records import views as records

_PORTFOLIO = "portfolio/<uuid:portfolio_id>"
_ENTRY = f"{_PORTFOLIO}/entries/<uuid:entry_id>"
_SOURCE = f"{_PORTFOLIO}/sources/<uuid:source_id>"
_KIND = f"{_PORTFOLIO}/records/<slug:record_kind>"
_RECORD = f"{_KIND}/<uuid:record_id>"
_DESK = f"{_PORTFOLIO}/desk"
_PREVIEW = f"{_DESK}/preview"
_PAGE = "p/<slug:slug>"
_own, _entry = own_portfolio, own_entry
_open = public.for_visitors
# what visitors see behind the page and its owner previews; works last, whose address is any word
_SHOWN: Final = (
    ("work", public.work_page, "work"),
    ("kept", public.privacy_page, "kept"),
    ("ask", public.ask, "ask"),
    ("new", public.new, "new"),
    ("image/photo", public.image, "photo"),
    ("image/<uuid:image_id>", public.image, "image"),
    ("<slug:entry_slug>", public.entry_page, "entry"),
)

entries = [
    path(f"{_PORTFOLIO}/entries", _own(pages.entries), name="list"),
    path(f"{_PORTFOLIO}/entries/order", _own(pages.order), name="order"),
    path(_ENTRY, _entry(builder.workspace), name="workspace"),
    path(f"{_ENTRY}/details", _entry(pages.details), name="details"),
    path(f"{_ENTRY}/story", _entry(story.story), name="story"),
    path(f"{_ENTRY}/story/block", _entry(story.block), name="block"),
    path(f"{_ENTRY}/story/arrange", _entry(story.arrange), name="arrange"),
    path(f"{_ENTRY}/pictures", _entry(pictures.pictures), name="pictures"),
    path(f"{_ENTRY}/pictures/upload", _entry(pictures.upload), name="upload"),
    path(f"{_ENTRY}/pictures/<uuid:picture_id>", _entry(pictures.picture), name="picture"),
    path(f"{_ENTRY}/publish", _entry(pages.publish), name="publish"),
    path(f"{_ENTRY}/status", _entry(pages.status), name="status"),
    path(f"{_ENTRY}/address", _entry(pages.slug), name="slug"),
    path(f"{_ENTRY}/delete", _entry(pages.delete), name="delete"),
]
talks = [
    path(f"{_PORTFOLIO}/tell", _own(builder.tell), name="tell"),
    path("portfolio/story/<uuid:project_id>", builder.story, name="story"),
    path("portfolio/talks/<uuid:builder_id>", builder.gone, name="gone"),
]
portfolio_desk = [
    path(_DESK, _own(desk.questions), name="questions"),
    path(f"{_DESK}/conversations/<uuid:visit_id>", _own(desk.conversation), name="conversation"),
    path(f"{_DESK}/unanswered", _own(desk.inbox), name="inbox"),
    path(f"{_DESK}/unanswered/<uuid:question_id>", _own(desk.answer), name="answer"),
    path(f"{_DESK}/cost", _own(desk.cost), name="cost"),
    path(f"{_DESK}/page", _own(desk.publish), name="publish"),
    path(_PREVIEW, public.for_owner(public.ask_page), name="preview"),
    *(
        path(f"{_PREVIEW}/{route}", public.for_owner(view), name=f"preview_{name}")
        for route, view, name in _SHOWN
    ),
]
# words here are reserved (`entries.limits.RESERVED`)
visitors = [
    path("visits/<uuid:visit_id>", public.visit, name="visit"),
    path(_PAGE, never_cache(_open(public.ask_page)), name="page"),
    path(f"{_PAGE}/contact", _open(public.contact), name="contact"),
    path(f"{_PAGE}/widget", public.widget, name="widget"),
    path(f"{_PAGE}/widget/ask", public.widget_ask, name="widget_ask"),
    path(f"{_PAGE}/widget/stop", public.widget_stop, name="widget_stop"),
    path(f"{_PAGE}/widget.js", public.widget_script, name="widget_js"),
    *(path(f"{_PAGE}/{route}", _open(view), name=name) for route, view, name in _SHOWN),
]
portfolio = [
    path("portfolio", home.home, name="home"),
    path(_PORTFOLIO, _own(home.overview), name="overview"),
    path(f"{_PORTFOLIO}/settings", _own(home.settings), name="settings"),
    path(f"{_PORTFOLIO}/photo", _own(home.photo), name="photo"),
    path(f"{_PORTFOLIO}/delete", _own(home.delete), name="delete"),
    path(f"{_PORTFOLIO}/history", _own(home.history), name="history"),
    path(f"{_PORTFOLIO}/export", _own(home.export), name="export"),
    path(f"{_PORTFOLIO}/sources", _own(intake.sources), name="sources"),
    path(f"{_PORTFOLIO}/sources/give/<slug:source_kind>", _own(intake.give), name="give"),
    path(_SOURCE, _own(intake.source), name="source"),
    path(f"{_SOURCE}/check", _own(intake.check_page), name="check"),
    path(f"{_SOURCE}/read", _own(intake.read), name="source_read"),
    path(f"{_SOURCE}/delete", _own(intake.delete), name="source_delete"),
    path(_KIND, _own(records.records), name="records"),
    path(f"{_KIND}/new", _own(records.new), name="record_new"),
    path(_RECORD, _own(records.record), name="record"),
    path(f"{_RECORD}/delete", _own(records.delete), name="record_delete"),
]
urlpatterns = [
    path("", include((entries, "entries"))),
    path("", include((talks, "builder"))),
    path("", include((portfolio_desk, "portfolio_desk"))),
    path("", include((visitors, "visitors"))),
    path("", include((portfolio, "portfolio"))),
]
