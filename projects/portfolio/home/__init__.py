"""The owner's way in: starting a portfolio, its overview, its settings, its changes."""
