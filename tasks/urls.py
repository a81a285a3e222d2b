"""Addresses of the survey's pages; the id is the session's everywhere."""

from __future__ import annotations

from django.urls import include, path

from tasks.views import account, done, review, start, talk

_SURVEY = "<uuid:session_id>"
_TASK = f"{_SURVEY}/tasks/<uuid:task_id>"

_survey = [
    path("", start.start, name="start"),
    path("/titles", start.titles, name="titles"),
    path("/occupations", start.occupations, name="occupations"),
    path(f"/{_SURVEY}/chat", talk.chat, name="chat"),
    path(f"/{_SURVEY}/chat/cards/<uuid:message_id>", talk.cards, name="cards"),
    path(f"/{_SURVEY}/finish", talk.finish, name="finish"),
    path(f"/{_SURVEY}/tasks", review.tasks, name="tasks"),
    path(f"/{_SURVEY}/tasks/live", review.live, name="live"),
    path(f"/{_SURVEY}/tasks/add", review.add, name="add"),
    path(f"/{_SURVEY}/tasks/balance", review.balance, name="balance"),
    path(f"/{_TASK}", review.row, name="row"),
    path(f"/{_TASK}/edit", review.edit, name="edit"),
    path(f"/{_TASK}/split", review.split, name="split"),
    path(f"/{_TASK}/merge", review.merge, name="merge"),
    path(f"/{_TASK}/move", review.move, name="move"),
    path(f"/{_TASK}/delete", review.delete, name="delete"),
    path(f"/{_TASK}/restore", review.restore, name="restore"),
    path(f"/{_TASK}/rate", review.rate, name="rate"),
    path(f"/{_TASK}/match", review.match, name="match"),
    path(f"/{_SURVEY}/complete", done.complete, name="complete"),
    path(f"/{_SURVEY}/complete/submit", done.submit, name="submit"),
    path(f"/{_SURVEY}/complete/tasks.csv", done.table, name="csv"),
    path(f"/{_SURVEY}/complete/tasks.json", done.data, name="json"),
    path(f"/{_SURVEY}/delete", done.delete_answers, name="delete_answers"),
]

urlpatterns = [
    path("", start.home, name="home"),
    path("account", account.account, name="account"),
    path("about/answers", account.privacy, name="privacy"),
    path("survey", include((_survey, "survey"))),
]
