"""A conversation's past within a budget: loading, counting, key facts, summaries, prompts."""

from chat.memory.actions import settle
from chat.memory.load import load, utterance
from chat.memory.prompts import assemble
from chat.memory.shapes import Context, Fact, Utterance

__all__ = ["Context", "Fact", "Utterance", "assemble", "load", "settle", "utterance"]
