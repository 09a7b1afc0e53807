"""A scene as sentences, for a screen reader or for reading aloud."""

from __future__ import annotations

from referee.engine.scene import Scene
from referee.engine.text import make_printable


def describe_scene(scene: Scene) -> list[str]:
    """Returns the scene as sentences, each one line. The scene's title is left out if a sentence says the same."""
    heading = [f"{scene.heading}."] if scene.heading else []
    return list(dict.fromkeys(map(make_printable, (*heading, f"{scene.title}.", *scene.words, *scene.list_remarks()))))
