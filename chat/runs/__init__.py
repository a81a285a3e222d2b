"""Doing the work of a run: claim, respond, keep, finish; and what happens when a worker dies."""

from chat.runs.perform import perform
from chat.runs.sweep import reap, sweep

__all__ = ["perform", "reap", "sweep"]
