"""Finds documents of a portfolio for a question: words, meaning and recency together."""
