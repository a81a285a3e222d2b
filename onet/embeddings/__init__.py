"""Embedding spaces: vectors of one model over one release, built aside and then switched to."""
