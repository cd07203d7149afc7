"""Roots: the places that a client lets its servers work in."""
