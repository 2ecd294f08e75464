#!/usr/bin/python3
"""A client for tests that opens connections and sends nothing over them.

    idle_client.py COUNT ENDPOINT [ENDPOINT …]

Endpoints are ipc://PATH or tcp://127.0.0.1:PORT, used in turn. It prints {"opened": N}, and keeps the connections open
until TERM.
"""

from __future__ import annotations

import json
import resource
import signal
import socket
import sys


def connect(endpoint: str) -> socket.socket:
    """Wait until the other side accepts the connection."""
    kind, _, place = endpoint.partition("://")
    if kind == "tcp":
        host, _, port = place.rpartition(":")
        return socket.create_connection((host, int(port)))
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(place)
    return connection


def main() -> None:
    """Open the connections, print their number, wait for TERM."""
    count, endpoints = int(sys.argv[1]), sys.argv[2:]
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + 100) if hard > 0 else count + 100, hard))
    opened = [connect(endpoints[number % len(endpoints)]) for number in range(count)]
    print(json.dumps({"opened": len(opened)}), flush=True)
    signal.sigwait([signal.SIGTERM])


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    main()
