"""Completion of arguments: what is asked for and what is offered."""
