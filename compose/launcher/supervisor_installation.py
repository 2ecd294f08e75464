"""supervisord: in a clone in a private virtual environment under `.build`, made on first use; else as installed."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

from .installation import IS_INSTALLED, ROOT
from .language import say
from .problem import Problem

REQUIREMENTS = ROOT / "compose" / "requirements.txt"
BUILD = ROOT / ".build"
ENVIRONMENT = BUILD / "launcher-venv-{}.{}.{}".format(*sys.version_info)
"""One for each Python, so that two of them on one machine do not replace each other's."""
PACKAGES = ROOT / "python"
"""The folder of the module `supervisor` of an installed launcher; it needs no other."""
PYTHON = Path(sys.executable) if IS_INSTALLED else ENVIRONMENT / "bin" / "python"
_MARKER = ENVIRONMENT / "installed"
_BASE = os.path.realpath(sys.executable)


def ensure() -> None:
    """Install supervisord unless the required version is installed for the current Python."""
    if IS_INSTALLED:
        return
    wanted = f"{sys.version}\n{_BASE}\n{ENVIRONMENT}\n{REQUIREMENTS.read_text(encoding='utf-8')}"
    if _is_installed(wanted):
        return
    BUILD.mkdir(exist_ok=True)
    with open(BUILD / f"{ENVIRONMENT.name}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _is_installed(wanted):
            _install()
            _MARKER.write_text(wanted, encoding="utf-8")


def folder_of_module() -> Path | None:
    """Return the folder that contains the module `supervisor`, if it is installed."""
    if IS_INSTALLED:
        return PACKAGES
    return next((module.parent for module in ENVIRONMENT.glob("lib/python*/site-packages/supervisor")), None)


def _is_installed(wanted: str) -> bool:
    try:
        return _MARKER.read_text(encoding="utf-8") == wanted and bool(folder_of_module()) and PYTHON.exists()
    except OSError:
        return False


def _install() -> None:
    version = _version()
    print(say(f"{_short(ENVIRONMENT)}에 {version} 설치 중 …", f"Installing {version} into {_short(ENVIRONMENT)} …"),
          file=sys.stderr, flush=True)
    _run([_BASE, "-m", "venv", "--clear", str(ENVIRONMENT)],
         say("가상 환경을 만들 수 없습니다", "cannot create a virtual environment"),
         say("Python의 venv 모듈이 필요합니다. Debian: apt-get install python3-venv",
             "Python's venv module is needed. On Debian: apt-get install python3-venv"))
    _run([str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
          "--require-hashes", "--requirement", str(REQUIREMENTS)],
         say(f"{version}: 설치할 수 없습니다", f"cannot install {version}"),
         say("처음 한 번은 pip가 패키지 저장소에 연결할 수 있어야 합니다(미러: PIP_INDEX_URL, 프록시: HTTPS_PROXY).",
             "pip needs access to its package index once (mirror: PIP_INDEX_URL, proxy: HTTPS_PROXY)."))


def _run(command: list[str], what: str, fix: str) -> None:
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, errors="replace", check=False)
    except OSError as error:
        raise Problem(f"{what}: {error}", fix=fix) from error
    if result.returncode != 0:
        lines = [line for line in result.stdout.splitlines() if line.strip()]
        raise Problem(what, details=lines[-5:], fix=fix)


def _version() -> str:
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    pin = next(line for line in lines if "==" in line)
    return pin.rstrip(" \\").replace("==", " ")


def _short(path: Path) -> Path:
    return path.relative_to(ROOT)
