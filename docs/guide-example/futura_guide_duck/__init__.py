"""A rubber duck: a conversation that asks about a problem until it is clear."""
