"""The concierge: one assistant over everything that a person has, and the home page."""
