"""Puts flaws into copies of the sources and sees whether the simulation or the tests notice them."""
