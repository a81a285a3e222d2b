"""Reads a portfolio's sources into its corpus, all or nothing: stages, failures, retries."""
