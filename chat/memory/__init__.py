"""A conversation's past within a budget: loading, counting, key facts, summaries, prompts."""
