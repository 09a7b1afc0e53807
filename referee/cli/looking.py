"""Looking at the game as it stands: the board, and the status that a bare `referee` tells."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.answers import show_scene, show_standing, standing_json
from referee.cli.context import Context, Eyes
from referee.cli.errors import MisuseError, NoGameError

FORMATS = ("text", "words", "svg", "json")


def show_command(
    ctx: typer.Context,
    form: Annotated[str, typer.Option("--as", metavar="FORM", help="text, words, svg or json (a position).")] = "text",
    by: Eyes = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file.")] = None,
) -> None:
    """Show the board.

    \b
      referee show                  referee show --as words
      referee show --as svg -o board.svg
      referee --at 12 show          as it was after entry 12

    In a game with secrets it shows what everybody may know.

    \b
      referee show --by mutant      with that seat's secrets
      referee show --by referee     with all secrets
    """
    context: Context = ctx.obj
    session = context.session()
    game, state, seat = session.game, context.state(session), context.eyes(session, by)
    if form not in FORMATS:
        raise MisuseError(f"--as takes {', '.join(FORMATS)}, not {form!r}")
    view = game.view(state, seat)
    if context.screen.json and output is None:
        shown = {"as": form, "shown": _rendered(context, game, view, form)} if form not in ("text", "json") else {}
        context.screen.data(standing_json(context, session, state, seat) | shown)
        return
    if form == "text" and output is None:
        scene = game.draw(view)  # before a word is said: forged events may lead to what has no picture
        context.tell_standing(session, state, seat)
        show_scene(context, scene)
        return
    text = _rendered(context, game, view, form)
    if output is not None:
        _write(context, text, output)
    elif form == "words":
        for line in text.splitlines():
            context.screen.say(line)
    else:
        context.screen.rows(text.splitlines())


def _write(context: Context, text: str, output: Path) -> None:
    from referee.cli.files import write_text

    write_text(output, text)
    if context.screen.json:
        context.screen.data({"written": str(output)})
    else:
        context.screen.say(f"Written to {output}.")


def _rendered(context: Context, game: Any, view: Any, form: str) -> str:
    if form == "json":
        import msgspec

        return msgspec.json.format(msgspec.json.encode(game.position_of(view), order="sorted")).decode() + "\n"
    scene = game.draw(view)
    if form == "svg":
        from referee.show.svg import svg

        return svg(scene)
    if form == "words":
        from referee.show.words import sentences

        return "\n".join(sentences(scene)) + "\n"
    from referee.show.text import captions, picture

    return "\n".join([*picture(scene, ascii_only=context.screen.ascii), *captions(scene)]) + "\n"


def tell_status(ctx: typer.Context) -> None:
    """Where the current game stands; without one, the short help."""
    context: Context = ctx.obj
    try:
        session = context.session()
    except NoGameError:
        if context.screen.json:
            raise
        context.screen.rows(ctx.get_help().splitlines())
        return
    state = context.state(session)
    if context.screen.json:
        context.screen.data(standing_json(context, session, state))
    else:
        show_standing(context, session, state)
