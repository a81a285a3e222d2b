"""Insights: what the answers of a campaign add up to."""
