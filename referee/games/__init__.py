"""The games that ship with this package.

Each is a rule module in a folder of its own, and the folders are laid out alike.
"""
