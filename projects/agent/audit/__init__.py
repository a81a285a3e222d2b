"""Auditing in a conversation: a critical reading with evidence, questions and recommendations."""
