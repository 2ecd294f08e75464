"""The code of `compose/install`: what is installed (contents), and how a prefix changes (prefix)."""
