"""The commands of a survey's list: what pages, programs and reviewers do to its tasks, and read."""

from __future__ import annotations

from chat.commands.run import register
from tasks.commands.edit import AddTask, DeleteTasks, EditTask, MergeTasks, MoveTask, SplitTask
from tasks.commands.matches import ChooseMatch, RetryMatch
from tasks.commands.rating import BalanceTime, RateTask
from tasks.commands.reads import ListSurveys, ReadSurvey


def register_all() -> None:
    register(AddTask, EditTask, MergeTasks, SplitTask, DeleteTasks, MoveTask)
    register(RateTask, BalanceTime, ChooseMatch, RetryMatch)
    register(ListSurveys, ReadSurvey)
