"""Templates of resources: their shape, and what is read by them."""
