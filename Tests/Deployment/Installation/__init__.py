"""Tests of `compose/install`."""
