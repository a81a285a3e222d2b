"""A Django database engine: PostgreSQL, started by whoever connects first."""
