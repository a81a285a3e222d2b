"""Every write of the survey, one verb each; `tasks.queries.response_for` gives the response."""

from tasks.actions.listing import (
    add_task,
    delete_task,
    merge_tasks,
    move_task,
    split_task,
)
from tasks.actions.marking import mark, selected_place
from tasks.actions.matching import choose_match, retry_match
from tasks.actions.pipeline import start_pipeline
from tasks.actions.rating import balance_time, rate
from tasks.actions.sending import delete_answers, submit
from tasks.actions.starting import start_survey
from tasks.actions.undoing import restore_task, take_back
from tasks.actions.wording import edit_statement

__all__ = [
    "add_task",
    "balance_time",
    "choose_match",
    "delete_answers",
    "delete_task",
    "edit_statement",
    "mark",
    "merge_tasks",
    "move_task",
    "rate",
    "restore_task",
    "retry_match",
    "selected_place",
    "split_task",
    "start_pipeline",
    "start_survey",
    "submit",
    "take_back",
]
