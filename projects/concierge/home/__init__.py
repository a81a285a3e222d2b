"""The home page: a person's day beside the conversation with the concierge."""
