"""Resources: what a server lists, reads and tells about."""
