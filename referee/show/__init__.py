"""Scenes become text, words or SVG. Knows shapes, no game and no log."""
