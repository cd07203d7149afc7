"""What is deprecated."""
