"""Checks whether a broker follows the Majordomo protocol. Written from RFC 7, 18 and 8, with raw frames."""
