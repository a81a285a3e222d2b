"""Work tasks in plain English, by rules: found, rewritten as statements, compared."""
