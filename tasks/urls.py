"""Addresses of the survey, its campaigns and what staff do with both.

The id of a survey is that of its session everywhere.
"""

from __future__ import annotations

from functools import partial

from django.urls import include, path

from tasks.campaigns.views import participant, staff as campaign_pages
from tasks.datasets import codebooks, views as datasets
from tasks.datasets.rows import TABLES, TYPES
from tasks.insights import views as insights
from tasks.staff import views as lists
from tasks.views import done, review, start, talk
from tasks.views.fragments import live, of_survey

_SURVEY = "<uuid:session_id>"
_TASK = f"{_SURVEY}/tasks/<uuid:task_id>"

_own = (  # route below the survey, view (which is handed the caller's own), name
    ("chat", talk.chat, "chat"),
    ("chat/cards/<uuid:message_id>", talk.cards, "cards"),
    ("chat/another", talk.another, "another"),
    ("chat/words/<uuid:answer_id>", talk.words, "words"),
    ("finish", talk.finish, "finish"),
    ("tasks", review.tasks, "tasks"),
    ("tasks/live", live, "live"),
    ("tasks/add", review.add, "add"),
    ("tasks/balance", review.balance, "balance"),
    ("tasks/undo", review.undo, "undo"),
    ("tasks/<uuid:task_id>", review.row, "row"),
    ("tasks/<uuid:task_id>/move", review.move, "move"),
    ("tasks/<uuid:task_id>/delete", review.delete, "delete"),
    ("tasks/<uuid:task_id>/rate", review.rate, "rate"),
    ("tasks/<uuid:task_id>/match", review.match, "match"),
    ("complete", done.complete, "complete"),
    ("complete/submit", done.submit, "submit"),
    ("complete/tasks.csv", partial(done.download, form="csv"), "csv"),
    ("complete/tasks.json", partial(done.download, form="json"), "json"),
    ("delete", done.delete_answers, "delete_answers"),
)
_survey = [
    path("survey", start.start, name="start"),
    path("survey/titles", start.titles, name="titles"),
    path("survey/occupations", start.occupations, name="occupations"),
    path("survey/transcribe", start.transcribe, name="transcribe"),
    *(
        path(f"survey/<uuid:session_id>/{route}", of_survey(view), name=name)
        for route, view, name in _own
    ),
    *(
        path(f"survey/{_TASK}/{form}", of_survey(review.change), {"form": form}, name=form)
        for form in review.FORMS
    ),
]

_CAMPAIGN = "campaigns/<uuid:campaign_id>"
_S = "s/<slug:campaign_slug>"

_campaigns = [
    path("campaigns", campaign_pages.campaign_list, name="list"),
    path("campaigns/new", campaign_pages.new, name="new"),
    path(_CAMPAIGN, campaign_pages.campaign, name="campaign"),
    path(f"{_CAMPAIGN}/live", campaign_pages.live, name="live"),
    path(f"{_CAMPAIGN}/edit", campaign_pages.edit, name="edit"),
    path(f"{_CAMPAIGN}/open", campaign_pages.open_now, name="open"),
    path(f"{_CAMPAIGN}/close", campaign_pages.close, name="close"),
    path(f"{_CAMPAIGN}/reopen", campaign_pages.open_now, {"again": True}, name="reopen"),
    path(f"{_CAMPAIGN}/delete", campaign_pages.delete, name="delete"),
    path(f"{_CAMPAIGN}/erase", campaign_pages.erase, name="erase"),
    path(f"{_CAMPAIGN}/duplicate", campaign_pages.duplicate, name="duplicate"),
    path(f"{_CAMPAIGN}/preview", campaign_pages.preview, name="preview"),
    path(f"{_CAMPAIGN}/share", campaign_pages.share, name="share"),
    path(f"{_CAMPAIGN}/share/link.svg", campaign_pages.qr_code, name="picture"),
    path(f"{_CAMPAIGN}/share/codes.csv", campaign_pages.codes, name="codes"),
    path(f"{_CAMPAIGN}/share/<uuid:invitation_id>/revoke", campaign_pages.revoke, name="revoke"),
]
_participants = [
    path(_S, participant.welcome, name="welcome"),
    path(f"{_S}/consent", participant.consent, name="consent"),
    path(f"{_S}/questions/<slug:place>", participant.questions, name="questions"),
    path(f"{_S}/job", participant.job, name="job"),
    path(f"{_S}/end", participant.end, name="end"),
    path(f"{_S}/mine", participant.your_data, name="mine"),
    path(f"{_S}/mine/data.json", participant.your_data_as_json, name="json"),
    path(f"{_S}/delete", participant.delete, name="delete"),
]
_insights = [
    path(f"{_CAMPAIGN}/insights", insights.insights, name="page"),
    path(f"{_CAMPAIGN}/insights/count", insights.count, name="count"),
    path(f"{_CAMPAIGN}/insights/table.csv", insights.table, name="table"),
]
_datasets = [
    path(f"{_CAMPAIGN}/data", datasets.page, name="page"),
    *(
        path(
            f"{_CAMPAIGN}/data/codebook.{form}",
            datasets.codebook,
            {"form": form},
            name=f"codebook_{form}",
        )
        for form in codebooks.TYPES
    ),
    *(
        path(
            f"{_CAMPAIGN}/data/{table}.{form}",
            datasets.download,
            {"table": table, "form": form},
            name=f"{table}_{form}",
        )
        for table in TABLES
        for form in TYPES
    ),
]
_review = [
    *(
        path(f"sessions/{_TASK}/{form.replace('_', '-')}", lists.correct, {"form": form}, name=form)
        for form in ("match", "edit", "merge", "take_out")
    ),
    path(f"sessions/{_SURVEY}/take-back", lists.take_back, name="take_back"),
    path("second", lists.overview, name="second"),
    path("second/next", lists.following, name="next"),
    path("second/<uuid:task_id>", lists.code, name="code"),
]

_staff = [
    path("", include((_campaigns, "campaigns"))),
    path("", include((_insights, "insights"))),
    path("", include((_datasets, "datasets"))),
    path("", include((_review, "staff_tasks"))),
]

urlpatterns = [
    path("surveys", start.home, name="surveys"),
    path("account", start.account, name="account"),
    path("about/answers", start.privacy, name="privacy"),
    path("staff/", include(_staff)),
    path("", include((_survey, "survey"))),
    path("", include((_participants, "s"))),
]
