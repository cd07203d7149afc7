"""A folder per family, a module per rule; modules that start with an underscore are shared by a family's rules."""
