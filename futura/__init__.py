"""Futura's platform: settings, errors, limits, the gateway to the model, embedded services."""
