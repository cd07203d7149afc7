"""Content blocks: what tools, prompts and sampling carry."""
