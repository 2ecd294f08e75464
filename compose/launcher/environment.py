"""The environment of a stack's processes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from .processes import MARK
from .run_folder import RUN, RunFolder
from .secrets import ALL_VARIABLES
from .services import KEY_VARIABLES, base_url

CACHE = "BOXOFFICE_CACHE_DIR"
DATA = "BOXOFFICE_DATA_DIR"

_OF_ONE_PROCESS = ("BOXOFFICE_BROKER", "BOXOFFICE_INSTANCE", "NOTIFY_SOCKET")
_BASE_URLS = tuple(base_url(upstream) for upstream in KEY_VARIABLES)
_DAILY_LIMITS = tuple(f"{upstream}_DAILY_LIMIT" for upstream in KEY_VARIABLES)


def for_stack(environ: Mapping[str, str], folder: RunFolder, demo: bool) -> dict[str, str]:
    """Return the environment of supervisord, which all its programs inherit; it contains no key."""
    dropped = (*ALL_VARIABLES, *_OF_ONE_PROCESS, *(_BASE_URLS if demo else ()))
    environment = {name: value for name, value in environ.items() if name not in dropped}
    if demo:
        # The demo upstream has no quota, so its calls are not limited.
        for name in _DAILY_LIMITS:
            environment.setdefault(name, "1000000")
    # A heap for each thread costs memory and saves no time with few threads.
    environment.setdefault("MALLOC_ARENA_MAX", "2")
    environment[RUN] = str(folder.path)
    environment[CACHE] = str(cache_folder(environ, folder, demo))
    environment[DATA] = str(data_folder(environ, folder, demo))
    environment[MARK] = str(folder.path)
    return environment


def for_gateway(environ: Mapping[str, str], folder: RunFolder) -> dict[str, str]:
    """Return the environment for queries to the broker of this run folder; the caller's own settings do not change it."""
    dropped = (*ALL_VARIABLES, *_OF_ONE_PROCESS)
    environment = {name: value for name, value in environ.items() if name not in dropped}
    environment[RUN] = str(folder.path)
    return environment


def data_folder(environ: Mapping[str, str], folder: RunFolder, demo: bool) -> Path:
    """Return the folder of the archive; that of a demo lies in the run folder, as its cache does."""
    if demo:
        return folder.path / "data"
    if named := environ.get(DATA):
        return Path(os.path.abspath(named))
    if data := environ.get("XDG_DATA_HOME"):
        return Path(os.path.abspath(data)) / "boxoffice"
    return Path(os.path.expanduser("~")) / ".local" / "share" / "boxoffice"


def cache_folder(environ: Mapping[str, str], folder: RunFolder, demo: bool) -> Path:
    """Return the folder of the cache: demo data stays apart from real data, even if BOXOFFICE_CACHE_DIR is set."""
    if demo:
        return folder.path / "cache"
    if named := environ.get(CACHE):
        return Path(os.path.abspath(named))
    if caches := environ.get("XDG_CACHE_HOME"):
        return Path(os.path.abspath(caches)) / "boxoffice"
    return Path(os.path.expanduser("~")) / ".cache" / "boxoffice"
