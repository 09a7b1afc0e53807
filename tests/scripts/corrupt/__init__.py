"""The bad logs of fixtures/corrupt, a module for each kind; `make_corrupt.py` gathers them."""
