"""Doing the work of a run: claim, respond, keep, finish; and what happens when a worker dies."""
