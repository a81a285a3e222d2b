"""Django's PostgreSQL engine with a pool that outlives its server's restarts."""
