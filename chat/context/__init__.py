"""A conversation's past within a budget: loading, counting, key facts, summaries, prompts."""

from chat.context.assemble import assemble
from chat.context.counting import settle
from chat.context.load import load, utterance
from chat.context.shapes import Context, Fact, Utterance

__all__ = ["Context", "Fact", "Utterance", "assemble", "load", "settle", "utterance"]
