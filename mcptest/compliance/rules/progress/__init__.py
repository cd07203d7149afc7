"""Progress of long requests."""
