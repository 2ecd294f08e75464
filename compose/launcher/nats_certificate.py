"""The certificate of the servers of NATS of one run: who listens on their ports is one of them, not another user."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from .language import say
from .problem import ExitCode, Problem

_SECONDS = 10.0
# Valid at every time, as clocks are set back, too; the key is of one run.
_DATES = ("-startdate", "20000101000000Z", "-enddate", "99991231235959Z")
_CONFIGURATION = """\
[req]
distinguished_name = name
prompt = no
[name]
CN = boxoffice
[ca]
default_ca = run
[run]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = server
[any]
commonName = supplied
[server]
subjectAltName = IP:127.0.0.1
basicConstraints = critical,CA:TRUE
"""


def make_certificate(certificate: Path, key: Path) -> None:
    """Write a certificate for 127.0.0.1 that is its own authority, and its key, into files in a private folder."""
    if not shutil.which("openssl"):
        raise Problem(say("openssl이 설치되어 있지 않습니다", "openssl is not installed"),
                      fix=say("Debian: apt-get install openssl", "On Debian: apt-get install openssl"))
    with tempfile.TemporaryDirectory(dir=key.parent) as name:
        folder = Path(name)
        for file, text in (("ca.cnf", _CONFIGURATION), ("index", ""), ("serial", "01\n")):
            (folder / file).write_text(text, encoding="ascii")
        _openssl(folder, "req", "-new", "-config", "ca.cnf", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                 "-nodes", "-keyout", "key.pem", "-out", "request.pem")
        _openssl(folder, "ca", "-config", "ca.cnf", "-selfsign", "-batch", "-notext", "-keyfile", "key.pem",
                 "-in", "request.pem", "-out", "certificate.pem", *_DATES)
        os.replace(folder / "key.pem", key)
        os.replace(folder / "certificate.pem", certificate)


def _openssl(folder: Path, *arguments: str) -> None:
    try:
        result = subprocess.run(["openssl", *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                                timeout=_SECONDS, check=False, text=True)
        complaint = result.stderr.strip() if result.returncode else ""
    except (OSError, subprocess.TimeoutExpired) as error:
        complaint = str(error)
    if complaint:
        raise Problem(say("NATS 서버의 인증서를 만들 수 없습니다", "cannot create the certificate of the NATS servers"),
                      details=[complaint], code=ExitCode.LOCAL_IO)
