"""Forecasting in a conversation: the situation is asked for, computed, told, and varied."""
