"""Tests of the launcher, with stand-ins for the Swift executables and a real supervisord."""
