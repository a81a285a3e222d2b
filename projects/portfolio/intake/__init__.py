"""Reads what an owner gives into typed records, each with the place it came from, to be checked."""
