"""The files of a log: what lies beside it, and all of it byte for byte."""

from __future__ import annotations


def beside(path, ending):
    return path.with_name(path.name + ending)


def files_of(path):
    """Every file of the folder with its bytes; the lock is empty and may come at any time."""
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if file.suffix != ".lock"}
