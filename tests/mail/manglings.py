"""What happens to a text between the one who sends it and the one who saves it.

Each is a function from the bytes that were pasted into a mail (UTF-8, lines ended by LF) to the bytes of the file that
the other has. `MANGLINGS` lose nothing that counts: a packet comes out of each of them. `LOSSES` do: it is refused.
"""

from __future__ import annotations

import gzip
import mailbox
import random
import re
import tempfile
from binascii import b2a_uu
from collections.abc import Callable
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from functools import partial, reduce
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from textwrap import fill

Mangling = Callable[[bytes], bytes]
NBSP, ZERO_WIDTH, SOFT_HYPHEN = "\u00a0", "\u200b", "\u00ad"
SPACES = "\u2000\u2003\u2007\u2009\u200a\u202f\u205f\u3000\u2060\ufeff"
BEFORE, AFTER = (
    "Dear Anna,\n\nI had <3 robots left, & you?\n\n",
    "\n\nBest wishes\n-- \nBo\nhttps://example.org/?a=3D&b=20\n",
)
WHO = "Am So., 22. Nov. 2026 um 15:00 Uhr schrieb Bo <bo@example.org>:\n\n"


# Texts


def on_text(change: Callable[[str], str]) -> Mangling:
    """A change of characters, on bytes."""
    return lambda data: change(data.decode()).encode()


def on_lines(change: Callable[[str], str]) -> Mangling:
    """A change of each line by itself."""
    return on_text(lambda text: "".join(f"{change(line)}\n" for line in text.splitlines()))


def after(*steps: Mangling) -> Mangling:
    """One after the other."""
    return lambda data: reduce(lambda mail, step: step(mail), steps, data)


def quoted(mark: str, times: int = 1) -> Mangling:
    """Every line behind a mark of quotation; blank lines have marks without blanks after them, as most write them."""
    return on_lines(lambda line: f"{mark * times}{line}".rstrip(" "))


def wrapped_at(columns: int, mark: str = "") -> Mangling:
    """Lines broken hard, what follows behind a mark or none."""

    def wrap(line: str) -> str:
        parts = [line[at : at + columns] for at in range(0, len(line), columns)] or [""]
        return f"\n{mark}".join(parts)

    return on_lines(wrap)


def flowed(level: int) -> Mangling:
    """RFC 3676: a line that is broken ends in a blank, and repeats its marks; one that could mislead is stuffed."""

    def flow(line: str) -> str:
        parts = [line[at : at + 60] for at in range(0, len(line), 60)] or [""]
        marks = ">" * level + (" " if level or line.startswith((" ", ">", "From ")) else "")
        return " \n".join(f"{marks}{part}" for part in parts)

    return on_lines(flow)


def every(columns: int, sign: str) -> Mangling:
    """A sign after every so many characters of a line."""
    return on_lines(lambda line: sign.join(line[at : at + columns] for at in range(0, len(line), columns)))


def ended_by(end: str) -> Mangling:
    return on_text(lambda text: text.replace("\n", end))


def in_dashes(dash: str) -> Mangling:
    return on_text(lambda text: text.replace("--", dash))


def unicode_spaces(data: bytes) -> bytes:
    """Blanks of all kinds before, after and in place of blanks."""
    chosen = random.Random(3)
    text = data.decode().replace(" ", NBSP)
    return "".join(f"{chosen.choice(SPACES)}{line}{chosen.choice(SPACES)}\n" for line in text.splitlines()).encode()


def reply(data: bytes) -> bytes:
    """Answered on top, the older mail below."""
    return f"Thank you!\n\n{WHO}".encode() + quoted("> ")(data)


def answered_within(data: bytes) -> bytes:
    """The older mail quoted with remarks before and after."""
    return b"Nice one.\n" + quoted("> ")(data) + b"\nMy turn now.\n"


def in_codec(codec: str) -> Mangling:
    return lambda data: data.decode().encode(codec)


def in_latin_1(data: bytes) -> bytes:
    """An old text file, with the blanks that do not break and the dashes of its code page."""
    return data.decode().replace("--", "\u2013").replace(" ", NBSP).encode("cp1252", "replace")


def as_far_as_latin_1(data: bytes) -> bytes:
    """A text in which all other characters are question marks."""
    return data.decode().encode("iso-8859-1", "replace").decode("iso-8859-1").encode()


# HTML


def html_of(text: str, line_end: str = "<br>\n", blank: str = "&nbsp;") -> str:
    """A text as mail programs write it in HTML."""
    lines = [escape(line).replace("  ", f"{blank} ") for line in text.splitlines()]
    style = "<style>p > a { color: #333 } /* a & b */</style><!-- [if mso]><i>x</i><![endif] -->"
    body = line_end.join(lines)
    return f'<html><head>{style}</head><body dir="ltr"><div class="m">{body}</div></body></html>\n'


def html_lines(data: bytes) -> bytes:
    return html_of(data.decode()).encode()


def html_paragraphs(data: bytes) -> bytes:
    return html_of(data.decode(), "</p>\n<p class=\"MsoNormal\" style='margin:0cm'>").encode()


def html_blanks(data: bytes) -> bytes:
    """Every blank one that does not break."""
    return html_of(data.decode()).replace(" PACKET", "&nbsp;PACKET").replace(" REFEREE", "&#160;REFEREE").encode()


def html_preformatted(data: bytes) -> bytes:
    return f"<pre>{escape(data.decode())}</pre>".encode()


def html_broken_words(data: bytes) -> bytes:
    """Long words with places where they may be broken."""
    return html_of(every(20, "\0")(data).decode()).replace("\0", "<wbr>").encode()


def html_spans(data: bytes) -> bytes:
    """Pieces of lines in elements of their own, as editors leave them."""
    return html_of(every(17, "\0")(data).decode()).replace("\0", '</span><span style="font-size:11pt">').encode()


def html_in(number: str) -> Mangling:
    """All that is no letter or digit as a number of this form, as some web mail does against attacks."""

    def encode(data: bytes) -> bytes:
        text = re.sub(r"[^A-Za-z0-9\n ]", lambda sign: number.format(ord(sign[0])), data.decode())
        return f"<div>{text.replace(chr(10), '<br/>')}</div>".encode()

    return encode


def html_quoted(data: bytes) -> bytes:
    """Quoted in a web mail, three times."""
    inner = html_of(data.decode())
    for _ in range(3):
        inner = f'<div>On Sunday, Bo wrote:<br><blockquote style="margin:0 0 0 .8ex">{inner}</blockquote></div>'
    return inner.encode()


def html_in_one_line(data: bytes) -> bytes:
    return html_of(data.decode(), "<br>").replace("\n", "").encode()


def html_tags_in_marks(data: bytes) -> bytes:
    """A search that marks what it has found."""
    return html_of(data.decode()).replace("REFEREE", "<em class='hit'>REF</em>EREE").encode()


class _Reader(HTMLParser):
    """Reads HTML aloud: words, and where lines end."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.said.append("\n" if tag in ("br", "p", "div") else "")


def as_text(page: bytes) -> str:
    """HTML to text."""
    reader = _Reader()
    reader.feed(page.decode())
    return "".join(reader.said)


def html_to_text(data: bytes) -> bytes:
    return as_text(html_lines(data)).encode()


def html_to_filled_text(data: bytes) -> bytes:
    """HTML to text by a program that fills its lines anew: all that were not apart are joined and broken elsewhere."""
    return fill(as_text(html_preformatted(data)), 70).encode()


# Mails


def message() -> EmailMessage:
    mail = EmailMessage(policy=policy.default)
    mail["From"], mail["To"] = "Bo Grün <bo@example.org>", "anna@example.org"
    mail["Subject"] = "Robots: turn 7, über allem"
    mail["Message-ID"] = "<7@example.org>"
    return mail


def mailed(**how: str) -> Mangling:
    """As the text of a mail."""

    def send(data: bytes) -> bytes:
        mail = message()
        mail.set_content(data.decode(), **how)
        return mail.as_bytes()

    return send


def mailed_as_html(page: Mangling, **how: str) -> Mangling:
    """As a mail in HTML alone."""

    def send(data: bytes) -> bytes:
        mail = message()
        mail.set_content(page(data).decode(), subtype="html", **how)
        return mail.as_bytes()

    return send


def mailed_as_both(page: Mangling) -> Mangling:
    """As text and as HTML."""

    def send(data: bytes) -> bytes:
        mail = message()
        mail.set_content(data.decode())
        mail.add_alternative(page(data).decode(), subtype="html")
        return mail.as_bytes()

    return send


def saved_body(send: Mangling) -> Mangling:
    """What stands below the headers of a mail, saved as it travelled."""
    return lambda data: send(data).partition(b"\n\n")[2]


def attached(kind: str = "octet-stream", **how: str) -> Mangling:
    """As a file that is attached to a mail."""

    def send(data: bytes) -> bytes:
        mail = message()
        mail.set_content("See the attachment.\n")
        if kind == "plain":
            mail.add_attachment(data.decode(), filename="turn-7.txt", **how)
        else:
            mail.add_attachment(data, maintype="application", subtype=kind, filename="turn-7.txt")
        return mail.as_bytes()

    return send


def forwarded(send: Mangling) -> Mangling:
    """A mail attached to a mail."""

    def forward(data: bytes) -> bytes:
        mail = message()
        mail.set_content("This came yesterday.\n")
        mail.add_attachment(BytesParser(policy=policy.default).parsebytes(send(data)))
        return mail.as_bytes()

    return forward


def forwarded_as_file(send: Mangling) -> Mangling:
    """A mail that was saved, and attached as a file to another."""
    return lambda data: attached("octet-stream")(send(data))


def quoted_by_program(send: Mangling) -> Mangling:
    """The text of a mail, read as mail programs read it, quoted in the text of another."""

    def answer(data: bytes) -> bytes:
        part = BytesParser(policy=policy.default).parsebytes(send(data)).get_body(("plain", "html"))
        assert part is not None
        return mailed()(b"Yes!\n\n" + quoted("> ")(part.get_content().encode()))

    return answer


def in_mailbox(send: Mangling) -> Mangling:
    """A file of many mails."""

    def keep(data: bytes) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "inbox"
            box = mailbox.mbox(path)
            for mail in (mailed()(b"From here on it gets better.\n"), send(data), mailed()(b"Bye.\n")):
                box.add(mail)
            box.close()
            return path.read_bytes()

    return keep


def as_smtp(data: bytes) -> bytes:
    """As it goes over the line: CRLF."""
    mail = message()
    mail.set_content(data.decode())
    return mail.as_bytes(policy=policy.SMTP)


# Losses


def without_line(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join(lines[: len(lines) // 2] + lines[len(lines) // 2 + 1 :])


def line_twice(data: bytes) -> bytes:
    """A line of the packet, which stands at the end."""
    lines = data.splitlines(keepends=True)
    return b"".join(lines[:-3] + lines[-4:])


def uuencoded(data: bytes) -> bytes:
    return b"begin 644 turn\n" + b"".join(b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45)) + b"end\n"


TEXTS: dict[str, Mangling] = {
    "as it is": bytes,
    "Windows line ends": ended_by("\r\n"),
    "line ends of old Macintoshes": ended_by("\r"),
    "line ends doubled": ended_by("\r\r\n"),
    "blank lines between": ended_by("\n\n"),
    "lines joined by blanks": ended_by(" "),
    "lines joined": ended_by(""),
    "quoted": quoted("> "),
    "quoted twice": quoted("> ", 2),
    "quoted three times": quoted("> ", 3),
    "quoted without blanks": quoted(">", 3),
    "quoted with bars": quoted("| ", 3),
    "quoted with initials": quoted("BG> "),
    "quoted by different programs": after(quoted("BG> "), quoted("> "), quoted("| "), quoted("AN> ")),
    "wrapped at 60": wrapped_at(60),
    "wrapped at 72": after(quoted("> ", 3), wrapped_at(72)),
    "wrapped at 76": after(quoted("> ", 8), wrapped_at(76)),
    "wrapped, then quoted": after(wrapped_at(60), quoted("> ", 3)),
    "quoted, then wrapped": after(quoted("> ", 3), wrapped_at(60)),
    "quoted, then wrapped with marks": after(quoted("> ", 3), wrapped_at(60, "> > > ")),
    "quoted, wrapped and quoted": after(quoted("> "), wrapped_at(60), quoted("> "), wrapped_at(60)),
    "flowed": flowed(0),
    "flowed and quoted": flowed(3),
    "indented": on_lines(lambda line: f"    {line}"),
    "indented by tabs": on_lines(lambda line: f"\t{line}"),
    "blanks at line ends": on_lines(lambda line: f"{line}   \t"),
    "blanks that do not break": on_text(lambda text: text.replace(" ", NBSP)),
    "blanks that do not break before lines": on_lines(lambda line: NBSP * 4 + line),
    "blanks of all kinds": unicode_spaces,
    "invisible blanks": every(20, ZERO_WIDTH),
    "soft hyphens": every(13, SOFT_HYPHEN),
    "byte order mark": on_text(lambda text: f"\ufeff{text}"),
    "text and signature around": on_text(lambda text: BEFORE + text + AFTER),
    "answer on top": reply,
    "answer within": answered_within,
    "answer to an answer": after(reply, reply, reply),
    "em dashes": in_dashes("\u2014"),
    "en dashes": in_dashes("\u2013"),
    "three hyphens lost": on_text(lambda text: text.replace("-----", "--")),
    "all hyphens lost": on_text(lambda text: text.replace("-----", "")),
    "hyphens that do not break": on_text(lambda text: text.replace("-", "\u2011")),
    "hyphens escaped": on_lines(lambda line: f"- {line}" if line.startswith("-") else line),
    "bold first and last line": on_lines(lambda line: f"*{line}*" if "REFEREE" in line else line),
    "UTF-16": in_codec("utf-16"),
    "UTF-16 with blanks of all kinds": after(unicode_spaces, in_codec("utf-16")),
    "UTF-16, little end first": in_codec("utf-16-le"),
    "UTF-16, big end first": in_codec("utf-16-be"),
    "UTF-32": in_codec("utf-32"),
    "code page of Windows": in_latin_1,
    "bytes of no code": lambda data: b"\xfe\xfd\x80\n" + data.replace(b"\n", b"\xa0\xc3\n") + b"\xf8",
}
"""What happens to texts; each takes what any of these leaves, in UTF-8."""

PAGES: dict[str, Mangling] = {
    "HTML": html_lines,
    "HTML in paragraphs": html_paragraphs,
    "HTML with blanks that do not break": html_blanks,
    "HTML, preformatted": html_preformatted,
    "HTML with words that may break": html_broken_words,
    "HTML in pieces": html_spans,
    "HTML in numbers": html_in("&#{};"),
    "HTML in numbers of three digits": html_in("&#{:03};"),
    "HTML in hexadecimal numbers": html_in("&#x{:X};"),
    "HTML in small hexadecimal numbers": html_in("&#x{:x};"),
    "HTML quoted": html_quoted,
    "HTML quoted with initials": after(quoted("> BG> "), html_lines),
    "HTML in one line": html_in_one_line,
    "HTML with what was searched for": html_tags_in_marks,
    "HTML to text": html_to_text,
    "HTML to text with lines filled anew": html_to_filled_text,
}
"""What is done by HTML, saved as it is."""

QP, B64 = "quoted-printable", "base64"
MAILS: dict[str, Mangling] = {
    "mail": mailed(),
    "mail over SMTP": as_smtp,
    "mail, quoted-printable": mailed(cte=QP),
    "mail, base64": mailed(cte=B64),
    "mail in UTF-16": mailed(charset="utf-16", cte=B64),
    "mail in Latin-1": after(as_far_as_latin_1, mailed(charset="iso-8859-1", cte=QP)),
    "mail with umlauts": after(on_text(lambda text: f"Grüße!\n{text}Tschüß\n"), mailed(cte="8bit")),
    "body of a mail, quoted-printable": saved_body(mailed(cte=QP)),
    "body of a mail, base64": saved_body(mailed(cte=B64)),
    "mail of blanks, quoted-printable": after(on_text(lambda text: text.replace(" ", NBSP)), mailed(cte=QP)),
    "mail in HTML": mailed_as_html(html_lines, cte="8bit"),
    "mail in HTML, quoted-printable": mailed_as_html(html_spans, cte=QP),
    "mail in HTML, base64": mailed_as_html(html_paragraphs, cte=B64),
    "mail in HTML of one line, quoted-printable": mailed_as_html(html_in_one_line, cte=QP),
    "body of a mail in HTML, quoted-printable": saved_body(mailed_as_html(html_blanks, cte=QP)),
    "mail in text and HTML": mailed_as_both(html_lines),
    "mail in text and other HTML": mailed_as_both(html_broken_words),
    "attachment": attached(),
    "attachment of text": attached("plain"),
    "attachment of text, quoted-printable": attached("plain", cte=QP),
    "attachment of text, base64": attached("plain", cte=B64),
    "forwarded": forwarded(mailed()),
    "forwarded attachment": forwarded(attached()),
    "forwarded twice": forwarded(forwarded(mailed(cte=B64))),
    "forwarded as a file": forwarded_as_file(mailed()),
    "forwarded as a file, with an attachment": forwarded_as_file(attached()),
    "quoted by a program": quoted_by_program(mailed(cte=QP)),
    "quoted by a program, base64": quoted_by_program(mailed(cte=B64)),
    "in a mailbox": in_mailbox(mailed()),
    "in a mailbox, base64": in_mailbox(mailed(cte=B64)),
    "in a mailbox, attached": in_mailbox(attached()),
    "mail that was mailed as text": after(mailed(cte=QP), mailed(cte="8bit")),
    "mail, quoted-printable twice": after(mailed(cte=QP), mailed(cte=QP)),
    "mail, base64 twice": after(mailed(cte=B64), mailed(cte=B64)),
}
"""What mail programs make of texts."""

MANGLINGS: dict[str, Mangling] = TEXTS | PAGES | MAILS
"""All that lose nothing."""

LOSSES: dict[str, Mangling] = {
    "cut in the middle": lambda data: data[: len(data) // 2],
    "first half lost": lambda data: data[len(data) // 2 :],
    "a line lost": without_line,
    "a line twice": line_twice,
    "lines cut at 60": on_lines(lambda line: line[:60]),
    "in capitals": on_text(str.upper),
    "in small letters": on_text(str.lower),
    "a capital at the beginning of lines": on_lines(lambda line: line[:1].upper() + line[1:]),
    "a remark within": on_lines(lambda line: f"{line}\nI see!" if line.startswith("SHA") else line),
    "line numbers": lambda data: b"".join(b"%d %s\n" % (n, line) for n, line in enumerate(data.splitlines())),
    "compressed": partial(gzip.compress, mtime=0),
    "uuencoded": uuencoded,
}
"""What cannot be undone, or nobody does any more."""
