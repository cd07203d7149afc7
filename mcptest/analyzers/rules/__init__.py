"""The lint rules, one module each."""
