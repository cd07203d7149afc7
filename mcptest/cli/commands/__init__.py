"""The commands: one file each. Adding a command is adding a file."""
