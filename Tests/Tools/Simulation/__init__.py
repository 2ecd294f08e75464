"""Builds and runs the simulation of the bus."""
