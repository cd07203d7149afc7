"""Members that many messages share: `_meta`, icons, annotations, and who is speaking."""
