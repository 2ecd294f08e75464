"""Builds and runs the simulation of the bus, and the flaws that it must find."""
