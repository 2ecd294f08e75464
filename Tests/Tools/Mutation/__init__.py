"""Puts flaws into copies of the sources and checks whether the simulation or the tests detect them."""
