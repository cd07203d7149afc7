"""Tools: how they are listed, called, and what they answer."""
