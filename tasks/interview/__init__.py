"""The survey's guide, one file a step in the order a message travels."""
