"""The public page of a portfolio: what visitors see without an account, and ask."""
