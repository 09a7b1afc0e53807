"""One file for each command or group of commands, named as it is typed.

Annotations of commands are values, not text (`from __future__ import annotations`): Typer works text out twice, which
takes longer than all else that it does for a command.
"""
