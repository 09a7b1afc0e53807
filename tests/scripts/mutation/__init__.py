"""Mutation testing in small: `mutants.py` runs it."""
