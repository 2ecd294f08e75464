"""The cache of a demo stack, which must not outlive the demo data that filled it."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from .record import StackRecord
from .run_folder import RunFolder
from .services import DEMO_UPSTREAM


def prepare_cache(record: StackRecord, folder: RunFolder) -> bool:
    """Keep the cache if the same demo data filled it, else empty it; return whether it was emptied.

    Charts of past days are cached for long: without this, generated charts would hide recordings.
    """
    cache, note = folder.path / "cache", folder.path / "cache" / "world"
    world = _fingerprint(record)
    if note.is_file() and note.read_text(encoding="ascii") == world:
        return False
    emptied = cache.exists()
    if emptied:
        shutil.rmtree(cache)
    cache.mkdir(mode=0o700)
    folder.write_private("cache/world", world)
    return emptied


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
