"""HTTP+SSE, the transport of 2024-11-05: one stream for all the server says, and an address for the client."""
