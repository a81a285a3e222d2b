"""Surveys as campaigns: what staff set up and share, who takes part, and what is kept of whom."""
