"""Some logs of the archive, read by copies of the program in which something was changed."""

import sys

from support import ROOT

EVERY = 11


def test_no_log_is_lost(monkeypatch, capsys):
    monkeypatch.setattr(sys, "path", [str(ROOT / "tests" / "scripts"), *sys.path])
    import outlive

    monkeypatch.setattr(sys, "argv", ["outlive.py", "--every", str(EVERY)])
    try:
        outlive.main()
    except SystemExit as done:
        told = capsys.readouterr().out
        assert not done.code, told
        assert told.count(", 0 lost") == len(outlive.CHANGES)
