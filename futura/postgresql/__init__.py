"""Django's PostgreSQL engine with a pool that trusts a connection it has just tried."""
