"""The desk of the owner of a portfolio."""
