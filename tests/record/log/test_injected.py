"""Calls to the operating system that fail, one after another; `inject_faults.py` tries all of them."""

from __future__ import annotations

import pytest
from inject_faults import is_permitted, try_all

needs_strace = pytest.mark.skipif(not is_permitted(), reason="strace is not here, or may not trace")


@needs_strace
@pytest.mark.parametrize("command", ["do", "do, with secrets", "undo"])
def test_what_the_disk_refuses_is_not_called_recorded(command, tmp_path):
    tried = list(try_all(command, tmp_path, ("write", "fsync"), ("log", "vault")))
    assert [one for one in tried if one.breach] == []
    assert {one.outcome for one in tried if one.call.kind == "fsync" and one.call.file == "log"} == {"unknown"}
    assert {one.outcome for one in tried if one.call.kind == "write"} == {"failed"}
