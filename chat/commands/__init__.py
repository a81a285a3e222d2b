"""What can be done to a person's things: one typed vocabulary, and every door to it."""
