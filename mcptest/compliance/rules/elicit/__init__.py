"""Elicitation: what a server asks of the user, in forms and by URLs."""
