"""The tasks of their own that a person tells of in English, as stretches of their message."""

from futura.language.task_phrases.finder import TaskPhrase, Turn, is_repeat, phrases_of, tasks_in

__all__ = ["TaskPhrase", "Turn", "is_repeat", "phrases_of", "tasks_in"]
