"""Subscriptions: what a client listens for, and what it is told."""
