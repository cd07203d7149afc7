"""stdio: a server that is started by its client, and lines."""
