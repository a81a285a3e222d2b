"""The public page of a portfolio and its widget."""
