"""Podman and buildah with storage of their own in `.build/containers`, which works as root inside a container, too."""

from __future__ import annotations

import fcntl
import functools
import os
import resource
import subprocess
from pathlib import Path

from virtual_environment import install

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
STORE = ROOT / ".build/containers"
DEBIAN = "docker.io/library/debian:bookworm-slim"

_SETTINGS = {
    "storage.conf": f'[storage]\ndriver = "overlay"\ngraphroot = "{STORE}/graph"\nrunroot = "{STORE}/run"\n',
    # crun fails with control groups of both versions; runc may not raise limits.
    "containers.conf": '[engine]\ncgroup_manager = "cgroupfs"\nruntime = "runc"\nevents_logger = "file"\n'
                       '[containers]\ndefault_ulimits = ["nofile={files}:{files}", "nproc=4096:4096"]\n',
}


@functools.cache
def _write_settings() -> None:
    """Write the files of settings, each as a whole: podman of another test may be reading them."""
    STORE.mkdir(parents=True, exist_ok=True)
    files = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 1 << 16)
    for name, text in _SETTINGS.items():
        file = STORE / f"{name}.{os.getpid()}"
        file.write_text(text.replace("{files}", str(files)), encoding="utf-8")
        file.replace(STORE / name)


def environment() -> dict[str, str]:
    """Return the environment in which podman and buildah use that storage."""
    _write_settings()
    return {**os.environ, "CONTAINERS_STORAGE_CONF": str(STORE / "storage.conf"), "CONTAINERS_CONF": str(STORE / "containers.conf")}


def run(*command: str | Path, expect: int | None = 0, seconds: float = 300, **variables: str) -> str:
    """Run a command in that environment and return its output of both streams."""
    result = subprocess.run(
        command, env={**environment(), **variables}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace", check=False, timeout=seconds)
    # Without systemd podman cannot run health checks by itself, and says so again and again.
    output = "".join(line for line in result.stdout.splitlines(keepends=True) if "systemd connection" not in line)
    if expect is not None and result.returncode != expect:
        # The last line is the reason, and a reader may see no more than the first lines of this.
        reason = output.rstrip().rpartition("\n")[2]
        raise AssertionError(f"{' '.join(map(str, command[:4]))} …: {result.returncode}, {reason}\n{output[-4000:]}")
    return output


def podman(*arguments: str | Path, expect: int | None = 0, seconds: float = 60) -> str:
    """Run podman."""
    return run("podman", *arguments, expect=expect, seconds=seconds)


def tool(name: str) -> Path:
    """Return a program of the environment for these tests."""
    return install("containers-venv", HERE / "requirements.txt").with_name(name)


def build(name: str, file: Path, *options: str | Path, context: Path = ROOT) -> str:
    """Build an image over a small Debian, remove all images without a name, and return its name."""
    STORE.mkdir(parents=True, exist_ok=True)
    with open(STORE / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if DEBIAN not in podman("images", "--format", "{{.Repository}}:{{.Tag}}"):
            base = STORE / "debian.tar"
            run("mmdebstrap", "--quiet", "--variant=minbase", "bookworm", base)
            podman("import", "--quiet", base, DEBIAN)
            base.unlink()
        run("buildah", "bud", "--isolation", "chroot", "--pull-never", "--format", "docker", *options, "-f", file,
            "-t", f"localhost/{name}", context)
        # The image that it replaces has lost its name, and would stay: two gigabytes for each run of the tests.
        podman("image", "prune", "--force", seconds=300)
    return f"localhost/{name}"
