"""Sparse text indexes on disk: hashed features, posting lists, and the folder that keeps them."""
