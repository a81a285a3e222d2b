"""Visitors' questions: Planner, Retrieval, Evidence, Answer, each typed and apart."""
