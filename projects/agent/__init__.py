"""The project agent: four conversations about a project, and what they share."""
