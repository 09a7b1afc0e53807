"""Deeds: what players do with a record beside playing on. One file each, which is found here and named nowhere below.

A file holds its entry, a `ToldDeed`, and what has to be offered for it, its `Terms`: who must agree, what it would do,
how it is folded and judged, in which words it is told. What is recorded is made there, too, and goes in by `append`.
The command that says it is the second file.

`NUMBER` says in which order they came: a new one takes the next, for schemas list them so.
Annotations of fields are values, not text, which would have to be worked out before a log is read.
"""
