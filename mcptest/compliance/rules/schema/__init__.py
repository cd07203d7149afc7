"""Shapes: do messages, and the schemas in them, look as their revision says?"""
