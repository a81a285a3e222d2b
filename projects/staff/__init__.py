"""Staff pages of projects: how the four conversations do, in figures."""
