"""A scene as sentences, for a screen reader or for reading aloud."""

from __future__ import annotations

from referee.engine.scene import Scene
from referee.engine.text import printable


def sentences(scene: Scene) -> list[str]:
    """The scene, one sentence a line."""
    return [printable(line) for line in (f"{scene.title}.", *scene.words, *scene.notes)]
