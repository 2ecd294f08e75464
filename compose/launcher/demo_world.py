"""The cache of a demo stack, which must not outlive the demo data that filled it."""

from __future__ import annotations

import hashlib
import shutil
import socket
from pathlib import Path
from urllib.parse import urlsplit

from .record import StackRecord
from .run_folder import URL_FILE, RunFolder
from .services import DEMO_UPSTREAM

_ADDRESS = "cache/upstream-url"


def prepare_cache(record: StackRecord, folder: RunFolder) -> bool:
    """Keep cache and archive if the same demo data at the same address filled them, else empty both; return whether.

    Charts of past days are cached for long: without this, generated charts would hide recordings. Cached posters contain
    the address of their images, so the demo upstream takes its last port again.
    """
    cache, note = folder.path / "cache", folder.path / "cache" / "world"
    world = _fingerprint(record)
    address = _last_address(folder)
    if note.is_file() and note.read_text(encoding="ascii") == world and address:
        folder.write_private(URL_FILE, address)
        return False
    emptied = cache.exists()
    for kept in (cache, folder.path / "data"):
        if kept.exists():
            shutil.rmtree(kept)
    cache.mkdir(mode=0o700)
    folder.write_private("cache/world", world)
    return emptied


def remember_address(folder: RunFolder, address: str) -> None:
    """Note the address of the demo upstream whose data fills the cache."""
    folder.write_private(_ADDRESS, address)


def _last_address(folder: RunFolder) -> str:
    """Return the address of the last demo upstream; "" when there was none, or its port is taken."""
    file = folder.path / _ADDRESS
    address = file.read_text(encoding="ascii") if file.is_file() else ""
    port = urlsplit(address).port
    if port is None:
        return ""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return ""
    return address


def _fingerprint(record: StackRecord) -> str:
    parts = [*record.demo_options, *_file_attributes([Path(record.binaries) / DEMO_UPSTREAM.name])]
    if record.recordings is not None:
        parts += _file_attributes(sorted(Path(record.recordings).iterdir()))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def _file_attributes(files: list[Path]) -> list[str]:
    attributes = []
    for file in files:
        status = file.stat()
        attributes += [str(file), str(status.st_size), str(status.st_mtime_ns)]
    return attributes
