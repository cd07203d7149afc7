"""Caching: for how long, and by whom, a result may be kept."""
