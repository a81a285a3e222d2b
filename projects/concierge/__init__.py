"""The concierge: one assistant over everything that a person has."""
