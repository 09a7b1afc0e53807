"""The examples in the docstrings of the engine and of the renderers run, and give what they show."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import iter_modules

import pytest

import referee.engine
import referee.show

MODULES = [
    f"{package.__name__}.{module.name}"
    for package in (referee.engine, referee.show)
    for module in iter_modules(package.__path__)
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_show(name):
    assert doctest.testmod(import_module(name)).failed == 0
