"""Renderers: they turn scenes into text, words or SVG. They know shapes, but no game and no log."""
