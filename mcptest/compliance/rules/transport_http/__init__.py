"""Streamable HTTP: each message a POST, each answer a body or a stream."""
