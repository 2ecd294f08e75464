"""Valid messages of each kind, and ways to corrupt one frame of them."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from random import Random

from Conformance.dialect import Dialect

SERVICES = [b"flood.%d" % number for number in range(8)]
_CONTROL = struct.Struct(">4sBBBB16sII")


@dataclass
class Part:
    """One frame with its role in the message."""

    name: str
    frame: bytes


def request(dialect: Dialect, dice: Random) -> list[Part]:
    """Return a client's request: with a control frame, plain, or for the management interface."""
    head = [*_head(dialect, dialect.client), Part("command", b"\x01")] if dialect.version == "0.2" \
        else _head(dialect, dialect.client)
    service = dice.choice(SERVICES) if dice.random() < 0.9 else dice.choice(
        [b"mmi.service", b"mmi.cancel", b"mmi.services", b"mmi.nothing"])
    parts = [*head, Part("service", service)]
    if dice.random() < 0.7:
        parts.append(Part("control", control(dice)))
    return [*parts, Part("body", dice.randbytes(dice.randrange(200)))]


def control(dice: Random) -> bytes:
    """Return a control frame; its id may repeat."""
    identity = b"flood" + bytes(7) + dice.randrange(4096).to_bytes(4, "big")
    return _CONTROL.pack(b"KBOX", 1, dice.randrange(2), 0, 0, identity, dice.choice([0, 50, 500, 2000, 5000]), 0)


def ready(dialect: Dialect, dice: Random, instance: str) -> list[Part]:
    """Return a READY, in 0.2 with options."""
    parts = [*_head(dialect, dialect.worker), Part("command", bytes([dialect.ready]))]
    parts.append(Part("service", dice.choice(SERVICES)))
    if dialect.version == "0.2" and dice.random() < 0.9:
        options = f"instance={instance}\ncapacity={dice.randrange(1, 32)}\nheartbeat-ms=500\nexclusive=0"
        parts.append(Part("options", options.encode()))
    return parts


def heartbeat(dialect: Dialect, dice: Random) -> list[Part]:
    """Return a HEARTBEAT, possibly with a drain request."""
    parts = [*_head(dialect, dialect.worker), Part("command", bytes([dialect.heartbeat]))]
    return [*parts, Part("extra", b"drain")] if dice.random() < 0.05 else parts


def disconnect(dialect: Dialect) -> list[Part]:
    """Return a DISCONNECT."""
    return [*_head(dialect, dialect.worker), Part("command", bytes([dialect.disconnect]))]


def reply(dialect: Dialect, dice: Random, ticket: bytes) -> list[Part]:
    """Return the reply to a dispatched request, FINAL or PARTIAL."""
    is_partial = dialect.partial is not None and dice.random() < 0.2
    command = dialect.partial if is_partial and dialect.partial is not None else dialect.final
    return [
        *_head(dialect, dialect.worker), Part("command", bytes([command])), Part("address", ticket),
        Part("delimiter", b""), Part("control", control(dice)), Part("body", dice.randbytes(dice.randrange(200))),
    ]


def noise(dice: Random) -> list[bytes]:
    """Return random frames, sometimes behind a valid header."""
    frames = [dice.randbytes(dice.randrange(40)) for _ in range(dice.randrange(1, 9))]
    head = dice.choice([[], [b""], [b"MDPC02"], [b"MDPW02"], [b"", b"MDPC01"], [b"", b"MDPW01"]])
    return [*head, *frames]


def corrupted(parts: list[Part], dice: Random) -> tuple[str, list[bytes]]:
    """Return the name of the corrupted frame, and all frames."""
    index = dice.randrange(len(parts))
    part = parts[index]
    ways = _WAYS.get(part.name, []) + [_flipped, _flipped, _cut, _longer, _replaced, _emptied]
    frames = [other.frame for other in parts]
    way = dice.random()
    if way < 0.05:
        del frames[index]
    elif way < 0.1:
        frames.insert(index, part.frame)
    else:
        frames[index] = dice.choice(ways)(part.frame, dice)
    return part.name, frames or [b""]


def _head(dialect: Dialect, header: bytes) -> list[Part]:
    return [*(Part("envelope", frame) for frame in dialect.envelope), Part("header", header)]


def _flipped(frame: bytes, dice: Random) -> bytes:
    if not frame:
        return b"\x01"
    changed = bytearray(frame)
    changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def _cut(frame: bytes, dice: Random) -> bytes:
    return frame[: dice.randrange(len(frame))] if frame else b"\x00"


def _longer(frame: bytes, dice: Random) -> bytes:
    return frame + dice.randbytes(dice.randrange(1, 300))


def _replaced(frame: bytes, dice: Random) -> bytes:
    return dice.randbytes(dice.randrange(300))


def _emptied(frame: bytes, dice: Random) -> bytes:
    return b""


def _option(frame: bytes, dice: Random) -> bytes:
    key, value = dice.choice([
        (b"capacity", b"0"), (b"capacity", b"10001"), (b"capacity", b"-1"), (b"capacity", b"9" * 40),
        (b"heartbeat-ms", b"0"), (b"heartbeat-ms", b"x"), (b"instance", b""), (b"instance", b"i" * 101),
        (b"instance", b"\xff\xfe"), (b"exclusive", b"2"),
    ])
    return frame + b"\n" + key + b"=" + value


def _other_header(frame: bytes, dice: Random) -> bytes:
    return dice.choice([b"MDPC01", b"MDPC02", b"MDPW01", b"MDPW02", b"MDPC03", b"MDPX02"])


def _other_command(frame: bytes, dice: Random) -> bytes:
    return bytes([dice.randrange(10)])


def _bad_name(frame: bytes, dice: Random) -> bytes:
    return dice.choice([b"s" * 256, b"s" * 255, b"a\nb", b"\x7f", b"\xc0\x80", "영화".encode(), b"mmi.echo", b"mmi."])


def _bad_control(frame: bytes, dice: Random) -> bytes:
    return dice.choice([frame[:31], frame + b"\0", frame[:4] + b"\x02" + frame[5:], frame[:7] + b"\x01" + frame[8:],
                        b"KBOY" + frame[4:], b"KBOX"])


_WAYS = {
    "header": [_other_header] * 6, "command": [_other_command] * 6, "service": [_bad_name] * 6,
    "control": [_bad_control] * 6, "options": [_option] * 6,
}
