"""The initial inputs of a run: the golden vectors, in the input format of the targets."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from .toolchain import ROOT

VECTORS = ROOT / "Tests/Support/Vectors"
# A step of BrokerRun: an unchanged message from the peer whose number follows.
RAW_STEP = 2
WALKS = 64


def write_seeds(target: str, folder: Path) -> None:
    """Write the seeds of a target; names derive from the content, so that a second write changes nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in set(seeds(target)):
        (folder / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


def seeds(target: str) -> Iterable[bytes]:
    """Return the seeds of a target; a target may have none."""
    match target:
        case "peer-message":
            return (packed(frames) for frames in wire("mdp-client", "mdp-worker", to="broker"))
        case "client-message":
            return (packed(frames) for frames in wire("mdp-client", to="client"))
        case "worker-message":
            return (packed(frames) for frames in wire("mdp-worker", to="worker"))
        case "control-frame":
            return (frames[0] for frames in wire("mdp-control"))
        case "ticket":
            return [bytes(range(17))]
        case "worker-options":
            return (frames[0] for frames in wire("mdp-options"))
        case "envelope":
            return (frames[0] for frames in envelopes())
        case "event":
            return [*events(), bytes(range(16))]
        case "json-reader":
            return (packed([bytes([6])]) + text for text in [*events(), *(frames[0] for frames in envelopes())])
        case "image-header":
            return (bytes.fromhex(vector["hex"]) for vector in vectors("images"))
        case "broker":
            return [*conversations(), *walks()]
        case _:
            return []


def packed(frames: Sequence[bytes]) -> bytes:
    """Return frames as FuzzInput reads them: one byte of length, or 255 and two more."""
    def head(frame: bytes) -> bytes:
        return bytes([len(frame)]) if len(frame) < 255 else b"\xff" + len(frame).to_bytes(2, "big")

    return b"".join(head(frame) + frame for frame in frames)


def conversations() -> Iterator[bytes]:
    """Yield all of a vector file's messages as steps of one broker, from two peers in turn."""
    for name in ("mdp-client", "mdp-worker", "mmi"):
        steps = [
            bytes([RAW_STEP, number % 2, len(frames)]) + packed(frames)
            for number, frames in enumerate(wire(name, to="broker")) if len(frames) < 8
        ]
        yield from steps
        yield b"".join(steps)


def walks() -> Iterator[bytes]:
    """Yield random steps, the same ones each time."""
    dice = random.Random(1)
    for _ in range(WALKS):
        yield dice.randbytes(dice.randrange(20, 1500))


def wire(*names: str, to: str | None = None) -> Iterator[list[bytes]]:
    for name in names:
        for vector in vectors(name):
            if to is None or vector["to"] == to:
                yield [bytes.fromhex(frame) for frame in vector["frames"]]


def envelopes() -> Iterator[list[bytes]]:
    for vector in vectors("envelope"):
        if vector["frames"]:
            yield [bytes.fromhex(frame) for frame in vector["frames"]]


def events() -> Iterator[bytes]:
    for vector in vectors("messages-1.0"):
        if vector["form"] == "event":
            yield vector["frames"][-1].encode()


def vectors(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    return found
