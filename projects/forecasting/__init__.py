"""Forecasts of a project's finish: computed by a simulation, kept, drawn, and scored later."""
