"""Prompts: their definitions, what they give, and what is refused."""
