"""Forecasting in a conversation: computed at once, then assumptions and what-if beside it."""
