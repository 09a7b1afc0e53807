"""The commands: one file for each command or group of commands, named as it is typed.

Annotations of commands are values, not text (`from __future__ import annotations`): Typer evaluates text twice, which
takes longer than the rest of its work for a command.
"""
