"""The fence in which code of others runs."""

from __future__ import annotations

import os
import signal
import sys
import threading

import pytest

from referee.engine.foreign_code import ErrorBoundary


class FaultError(Exception):
    """What is blamed."""


def blame(error):
    return FaultError(type(error).__name__)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_of_the_user_is_no_fault_however_deep_it_is_pressed():
    with pytest.raises(KeyboardInterrupt), ErrorBoundary(blame), ErrorBoundary(blame):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_who_hears_ctrl_c_still_does_and_afterwards_nothing_is_left():
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    streams = sys.stdout, os._exit
    try:
        mine = signal.getsignal(signal.SIGINT)
        with ErrorBoundary(blame):
            signal.raise_signal(signal.SIGINT)
        assert (heard, signal.getsignal(signal.SIGINT)) == ([1], mine)
    finally:
        signal.signal(signal.SIGINT, before)
    assert (sys.stdout, os._exit) == streams


def test_an_interrupt_that_nobody_pressed_is_a_fault_also_after_one_that_was():
    with pytest.raises(KeyboardInterrupt), ErrorBoundary(blame):
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(FaultError, match="KeyboardInterrupt"), ErrorBoundary(blame):
        raise KeyboardInterrupt


def test_the_inner_fence_blames():
    def other(error):
        return FaultError("inner")

    with pytest.raises(FaultError, match="inner"), ErrorBoundary(blame, (FaultError,)), ErrorBoundary(other):
        raise SystemExit


def test_a_fence_of_another_thread_is_its_own():
    found = []

    def work():
        try:
            with ErrorBoundary(blame):
                os._exit(3)
        except FaultError as fault:
            found.append(str(fault))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == ["SystemExit"]


def test_where_threads_cross_each_other_all_is_as_it_was_after_the_last():
    streams, inside, done = (sys.stdout, os._exit), threading.Event(), threading.Event()

    def work():
        with ErrorBoundary(blame):
            inside.set()
            done.wait(60)

    thread = threading.Thread(target=work)
    with ErrorBoundary(blame):
        thread.start()
        inside.wait(60)
    assert sys.stdout is sys.stderr
    done.set()
    thread.join()
    assert (sys.stdout, os._exit) == streams


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes")
def test_a_child_that_others_code_forks_may_end():
    with ErrorBoundary(blame):
        child = os.fork()
        if not child:
            os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
