"""Sampling: what a server asks of the client's model."""
