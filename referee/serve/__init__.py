"""A game served to the browsers in a room: a board for everybody, and one for each seat with what that seat may know.

Knows pages and stories, no game, no log, no terminal: who serves hands in a `Game`, and a `Speak` where phones may
speak.

    GET  /TOKEN                 the page of a link: of the table, or of a seat
    GET  /TOKEN/events?after=P  what has come after place P, as server-sent events; `Last-Event-ID` goes before `after`
    POST /TOKEN/say             `--play`, links of seats only: a JSON object of 4 KiB at most, answered by one

All else, and every token that is no link (any more), is 404. Hosts that were not served, origins that are not the
page's own, bodies, connections and rates beyond `limits` are refused before anything of the game is asked. Each refusal
is one sentence of plain text.

**Events.** Each has a name and one line of JSON.

    entry    {"frame": a `page.frames.Frame`, "taken": [n, ...], "boxes": [...] | null, "legend": [[element, meaning]],
             "step": {"n", "part", "said", "told": [...], "chances": [...], "rules": {number: words}}};
             its id is the place after it
    notice   {"words": "..."}: what is wrong with the log, shown until another one comes; empty: nothing any more
    anew     the record is another one than the page tells (a rewritten log, a secret revealed): load the page again
    gone     the link was withdrawn
    beat     nothing, every few seconds: who hears none for long is not connected and asks again

**What `say` is.** `Speak` is a function `(seat, request) -> answer`, both JSON objects. It is called with the seat of
the link, never with one that the phone names, in the one thread that also reads the log: two taps at one moment come
one after the other. What it raises is a bug and answered as 500. After each call the log is looked at at once; an
answer with `"wake": true` has all viewers told a beat, at which phones ask how it stands.

**In the page** of a seat that may speak stands `<section id="phone">`, empty and hidden, and after the other scripts
comes `phone.js`, in the same function: it may use all names of `board.js`, `replay.js` and `live.js`, above all
`say(request)`, which posts and gives a promise of the answer with its HTTP `status`, and `board.nodes`, the drawn parts
by "BOARD KEY". `live.js` tells each entry as an event `entry` on `document`, once it is shown; its `detail` is what was
sent; and each beat as an event `beat`.

    game      `Game`, `Reading`, `BrokenError`, `Speak`: what is served
    page      the page of a link
    views     `View`: the page and the events of one pair of eyes
    room      `Room`: follows the log, one thread for all of it
    links     `Links`: tokens, made and withdrawn
    limits    what somebody may ask for, how often, how long
    app       the routes, and what guards them
    refusals  headers of every answer, and the sentence of each that refuses
    server    sockets, addresses, and the loop
    codes     links as QR codes in a terminal
    tapping   `Tapping`: what is left of a legal list after some taps
    draft     a choice that is being filled in
    things    what can be touched on a board
"""
