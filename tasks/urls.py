"""Addresses of the survey's pages; the id is the session's everywhere."""

from __future__ import annotations

from django.urls import include, path

from tasks.views import done, review, start, talk

_SURVEY = "<uuid:session_id>"
_TASK = f"{_SURVEY}/tasks/<uuid:task_id>"

_survey = [
    path("survey", start.start, name="start"),
    path("survey/titles", start.titles, name="titles"),
    path("survey/occupations", start.occupations, name="occupations"),
    path("survey/transcribe", start.transcribe, name="transcribe"),
    path(f"survey/{_SURVEY}/chat", talk.chat, name="chat"),
    path(f"survey/{_SURVEY}/chat/cards/<uuid:message_id>", talk.cards, name="cards"),
    path(f"survey/{_SURVEY}/chat/another", talk.another, name="another"),
    path(f"survey/{_SURVEY}/chat/words/<uuid:answer_id>", talk.words, name="words"),
    path(f"survey/{_SURVEY}/finish", talk.finish, name="finish"),
    path(f"survey/{_SURVEY}/tasks", review.tasks, name="tasks"),
    path(f"survey/{_SURVEY}/tasks/live", review.live, name="live"),
    path(f"survey/{_SURVEY}/tasks/add", review.add, name="add"),
    path(f"survey/{_SURVEY}/tasks/balance", review.balance, name="balance"),
    path(f"survey/{_SURVEY}/tasks/undo", review.undo, name="undo"),
    path(f"survey/{_TASK}", review.row, name="row"),
    *(
        path(f"survey/{_TASK}/{form}", review.change, {"form": form}, name=form)
        for form in review.FORMS
    ),
    path(f"survey/{_TASK}/move", review.move, name="move"),
    path(f"survey/{_TASK}/delete", review.delete, name="delete"),
    path(f"survey/{_TASK}/restore", review.restore, name="restore"),
    path(f"survey/{_TASK}/rate", review.rate, name="rate"),
    path(f"survey/{_TASK}/match", review.match, name="match"),
    path(f"survey/{_SURVEY}/complete", done.complete, name="complete"),
    path(f"survey/{_SURVEY}/complete/submit", done.submit, name="submit"),
    path(f"survey/{_SURVEY}/complete/tasks.csv", done.table, name="csv"),
    path(f"survey/{_SURVEY}/complete/tasks.json", done.data, name="json"),
    path(f"survey/{_SURVEY}/delete", done.delete_answers, name="delete_answers"),
]

urlpatterns = [
    path("surveys", start.home, name="surveys"),
    path("account", start.account, name="account"),
    path("about/answers", start.privacy, name="privacy"),
    path("", include((_survey, "survey"))),
    path("", include("tasks.campaigns.urls")),
    path("", include("tasks.insights.urls")),
    path("", include("tasks.datasets.urls")),
]
