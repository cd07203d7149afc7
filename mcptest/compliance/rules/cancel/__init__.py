"""Requests that are taken back."""
