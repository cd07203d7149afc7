"""Pages: lists that are given in parts."""
