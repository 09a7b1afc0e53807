"""A game as one page that can be kept, mailed and printed: readable without script, stepped through with it, and
proving its log in the browser. Knows scenes and words, no game, no log, no terminal: who makes a page tells the story.

What it is made of can be used apart, by whoever shows a game in a browser:

    story       `Story` and `Step`: what a page is told, in words and scenes. A server tells one step at a time
    frames      `Drawn`: the parts of all boards of a moment under their keys; `frame_of(before, after)`: what has to be
                drawn to come from one to the next, as JSON. A server sends one frame for each entry
    document    `page_of(story)`: the whole page; `sections`, `board` and `legend` are its pieces
    data        `style()` and `script(...)`: the style, and the scripts by name. `board.js` exchanges parts and lets
                pieces glide (`new Board(figure)`, `board.show(parts)`), `check.js` proves a log (`proof(text)`),
                `prove.js` tells that in a page, `replay.js` steps through it; `common.js` comes before each
    taken       `taken_from(page)`: the log in a page from a stranger, and what it says it shows

A page depends on its story and on the version of the program alone: two of the same story are alike byte for byte.
"""
