"""Frames: the changes from one drawn moment to the next, for a page, a live board, and other programs that draw.

As JSON a frame is

    {"n": 57, "heading": "Turn 7: red to move", "title": "...", "beside": ["..."], "focus": "Street",
     "drawn": [[0, "piece B7", ["g", {"transform": "translate(1.5 2)"}, [...]]]], "gone": [[0, "piece R2"]],
     "glides": [[0, "piece zombie Sd8", "piece zombie Sd7"]]}

A part is named by the number of its board and its key, which begins with its layer: place, name, trail or piece. An
element is a list of its SVG tag, its attributes, and its elements or text. A number stands for one of the `shared`
elements. `glides` lists parts that had another key before: board, new key, old key. A part that keeps its key glides
from where it was. Anything that is left out is as in the frame before. A number in `beside` stands for that line of the
frame before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.engine.scene import Frame as Box
from referee.engine.scene import Scene, ScenePage
from referee.engine.scene_diff import add_trails, list_piece_moves
from referee.gate import read_json
from referee.page.page_model import StoryStep
from referee.show.drawing import DrawnParts, compare_parts, draw_page_parts, measure_page
from referee.show.element import Element
from referee.show.svg import list_svg_captions
from referee.show.text_picture import draw_text_picture

ElementOrNumber = Element | int
"""An element, or the number of a shared one."""
PartName = tuple[int, str]
"""A part by the number of its board and its key."""


class Frame(Struct, frozen=True, omit_defaults=True):
    """The changes from one moment to the next."""

    n: int
    heading: str | None = None
    title: str | None = None
    beside: tuple[str | int, ...] | None = None
    focus: str | None = None
    plain: tuple[str, ...] = ()
    """The board in characters, if a game draws nothing else."""
    drawn: tuple[tuple[int, str, ElementOrNumber], ...] = ()
    gone: tuple[PartName, ...] = ()
    glides: tuple[tuple[int, str, str], ...] = ()


class StoryFrames(Struct, frozen=True):
    """A game for programs that draw it: its boards, and the changes from the first moment on."""

    boards: tuple[Mapping[str, str], ...]
    """The name of each board and its `box`, the viewBox of its SVG."""
    shared: tuple[Element, ...]
    """Elements that occur more than once. No shared element contains another element."""
    frames: tuple[Frame, ...]
    """The frames. The first draws everything; the others exchange parts."""


class DrawnBoards:
    """All boards of one moment, as drawn parts by their keys."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.boards: tuple[DrawnParts, ...] = tuple(draw_page_parts(page) for page in scene.pages)

    def draw_text_fallback(self) -> tuple[str, ...]:
        """Returns the boards in characters if nothing else is drawn; an empty tuple otherwise."""
        return () if any(self.boards) else tuple(draw_text_picture(self.scene))


def _keep_if_changed(was: str | None, now: str) -> str | None:
    """Returns the new text; None if it is the same as the old one."""
    return None if was == now else now


def make_frame(n: int, before: DrawnBoards | None, after: DrawnBoards) -> Frame:
    """Returns the frame of entry `n`: the changes between two moments. `before` is None for the first frame."""
    scene, old = after.scene, before.boards if before else ()
    was = before.scene if before else None
    beside, earlier = list_svg_captions(scene), list_svg_captions(was) if was else ()
    both = [compare_parts(old[at] if at < len(old) else {}, board) for at, board in enumerate(after.boards)]
    return Frame(
        n,
        _keep_if_changed(was.heading if was else None, scene.heading),
        _keep_if_changed(was.title if was else None, scene.title),
        None
        if was and beside == earlier
        else tuple(earlier.index(line) if line in earlier else line for line in beside),
        _keep_if_changed(was.focus if was else None, scene.focus),
        after.draw_text_fallback(),
        tuple((at, key, part) for at, change in enumerate(both) for key, part in change.drawn.items()),
        tuple((at, key) for at, change in enumerate(both) for key in change.gone),
        tuple(_list_glides(was, scene)) if was else (),
    )


def extract_shared_elements(frames: Iterable[Frame]) -> tuple[tuple[Element, ...], tuple[Frame, ...]]:
    """Returns the elements that occur more than once, and the frames with numbers in place of these elements."""
    found = tuple(frames)
    counts = Counter(_encode_leaf(leaf) for frame in found for _, _, part in frame.drawn for leaf in _list_leaves(part))
    often = [spelt for spelt, count in counts.items() if count > 1]
    numbers = {spelt: number for number, spelt in enumerate(often)}
    shared = tuple(Element(*read_json(spelt)) for spelt in often)
    return shared, tuple(
        replace(frame, drawn=tuple((at, key, _number_shared(part, numbers)) for at, key, part in frame.drawn))
        for frame in found
    )


def _list_leaves(part: ElementOrNumber) -> Iterator[Element]:
    """Yields the elements of a part that contain no others. Titles are left out, because they all differ."""
    if isinstance(part, Element) and part.tag != "title":
        if not part.inside or isinstance(part.inside, str):
            yield part
        else:
            yield from chain.from_iterable(map(_list_leaves, part.inside))


def _encode_leaf(leaf: Element) -> bytes:
    return msgspec.json.encode(leaf)


def _number_shared(part: ElementOrNumber, numbers: Mapping[bytes, int]) -> ElementOrNumber:
    if isinstance(part, int) or part.tag == "title":
        return part
    if part.inside and not isinstance(part.inside, str):
        return part._replace(inside=tuple(_number_shared(one, numbers) for one in part.inside))
    return numbers.get(_encode_leaf(part), part)


def _list_glides(before: Scene, after: Scene) -> Iterator[tuple[int, str, str]]:
    for at, (old, new) in enumerate(zip(before.pages, after.pages, strict=False)):
        for move in list_piece_moves(old, new):
            if move.before and move.after and _make_key(move.before) != _make_key(move.after):
                yield at, _make_key(move.after), _make_key(move.before)


def _make_key(piece: object) -> str:
    return f"piece {getattr(piece, 'key', '') or getattr(piece, 'label', '')}"


def draw_steps(steps: Iterable[StoryStep]) -> Iterator[tuple[StoryStep, DrawnBoards]]:
    """Yields each step with its drawn parts, which include the trails of its changes."""
    before: Scene | None = None
    for step in steps:
        yield step, draw_step(step, before)
        before = step.scene


def draw_step(step: StoryStep, before: Scene | None) -> DrawnBoards:
    """Draws a step in parts, with trails of its changes.

    The changes are those since `step.scene_before`, or since `before` if `step.scene_before` is None. If both are None,
    no trails are drawn.
    """
    earlier = step.scene_before or before
    return DrawnBoards(add_trails(earlier, step.scene) if earlier else step.scene)


def make_frames(steps: Iterable[StoryStep]) -> StoryFrames:
    """Returns all frames of a story."""
    frames, boxes, names, before = list[Frame](), ViewBoxes(), tuple[str, ...](), None
    for step, drawn in draw_steps(steps):
        frames.append(make_frame(step.n, before, drawn))
        names, before = tuple(page.name for page in drawn.scene.pages), drawn
        boxes.enlarge_to_fit(drawn.scene.pages)
    boards = ({"name": name, "box": box} for name, box in zip(names, boxes.format_view_boxes(), strict=True))
    return StoryFrames(tuple(boards), *extract_shared_elements(frames))


class ViewBoxes:
    """The visible area of each board, big enough for all moments."""

    def __init__(self) -> None:
        self.boxes: list[Box] = []

    def enlarge_to_fit(self, pages: Iterable[ScenePage]) -> None:
        """Enlarges the areas to fit these pages."""
        for at, page in enumerate(pages):
            box = measure_page(page)
            if at == len(self.boxes):
                self.boxes.append(box)
            left, top, right, bottom = self.boxes[at]
            self.boxes[at] = min(left, box[0]), min(top, box[1]), max(right, box[2]), max(bottom, box[3])

    def format_view_boxes(self) -> tuple[str, ...]:
        """Returns each area as the viewBox of an SVG."""
        return tuple(f"{x:.2f} {y:.2f} {right - x:.2f} {bottom - y:.2f}" for x, y, right, bottom in self.boxes)
