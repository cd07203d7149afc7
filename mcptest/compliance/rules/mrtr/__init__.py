"""Multi round-trip requests: what a server asks back in a result, and the request that a client sends again."""
