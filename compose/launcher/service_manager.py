"""Tells systemd what the launcher does (sd_notify), when systemd has started it."""

from __future__ import annotations

import os
import socket

VARIABLE = "NOTIFY_SOCKET"


def notify(state: str) -> None:
    """Send a state such as `READY=1`; without systemd, or when it does not listen, nothing happens."""
    address = os.environ.get(VARIABLE)
    if not address:
        return
    if address.startswith("@"):  # a name without a file
        address = f"\0{address[1:]}"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.sendto(state.encode("ascii"), address)
    except OSError:
        pass  # systemd ends a start that is never reported
