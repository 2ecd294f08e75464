"""The expected result of a broker's decoder for a message, written from the RFCs.

Shares no code with the broker, so that two independent decoders of the same messages are compared.
"""

from __future__ import annotations

from collections.abc import Sequence

MAGIC = b"KBOX"
CONTROL_BYTES = 32
# Only the broker knows whether it accepts a READY or finds it out of order.
READY = "worker_ready"
_WORKER_COMMANDS = {
    # By version: the command byte and its meaning.
    0: {1: READY, 3: "worker_final", 4: "worker_heartbeat", 5: "worker_disconnect"},
    1: {1: READY, 3: "worker_partial", 4: "worker_final", 5: "worker_heartbeat", 6: "worker_disconnect"},
}


def verdict(frames: Sequence[bytes]) -> tuple[str, str]:
    """Return ("received", branch) or ("faults", fault) for a message without its address."""
    is_first = bool(frames) and not frames[0]
    rest = list(frames[1:] if is_first else frames)
    if not rest:
        return "faults", "header"
    header, *rest = rest
    if header == (b"MDPC01" if is_first else b"MDPC02"):
        return _client(rest, is_first)
    if header == (b"MDPW01" if is_first else b"MDPW02"):
        return _worker(rest, 0 if is_first else 1)
    return "faults", "header"


def _client(rest: list[bytes], is_first: bool) -> tuple[str, str]:
    if not is_first:
        if rest[:1] != [b"\x01"]:
            return "faults", "client_command"
        rest = rest[1:]
    if not rest or not _is_name(rest[0]):
        return "faults", "client_service"
    body = rest[1:]
    if body and body[0].startswith(MAGIC):
        control = body[0]
        if len(control) != CONTROL_BYTES or control[4] != 1 or control[7] != 0:
            return "faults", "control"
    return "received", "client_request"


def _worker(rest: list[bytes], version: int) -> tuple[str, str]:
    commands = _WORKER_COMMANDS[version]
    if not rest or len(rest[0]) != 1:
        return "faults", "worker_command"
    number = rest[0][0]
    if number == 2 or (branch := commands.get(number)) in ("worker_final", "worker_partial"):
        if len(rest) < 3 or rest[2]:
            return "faults", "worker_address"
        # Only a broker may send a REQUEST.
        return ("faults", "worker_command") if number == 2 else ("received", branch or "")
    if branch is None:
        return "faults", "worker_command"
    if branch == READY and (len(rest) < 2 or not _is_name(rest[1]) or rest[1].startswith(b"mmi.")):
        return "faults", "worker_service"
    return "received", branch


def _is_name(name: bytes) -> bool:
    if not 1 <= len(name) <= 255 or any(byte < 0x20 or byte == 0x7F for byte in name):
        return False
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True
