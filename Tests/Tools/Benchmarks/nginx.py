"""nginx with the files of a folder: what a page costs when nothing is done for it."""

from __future__ import annotations

import http.client
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .processes import stop

# Below the range for outgoing connections.
PORT = 18_473

CONFIGURATION = """
{user} daemon off; worker_processes 2; pid {state}/pid; error_log {state}/errors;
events {{ worker_connections 256; }}
http {{
  access_log off; keepalive_requests 1000000000; gzip_static on; etag off;
  default_type text/html; types {{ text/css css; text/javascript js; image/svg+xml svg; }}
  client_body_temp_path {state}/body; proxy_temp_path {state}/proxy; fastcgi_temp_path {state}/fastcgi;
  uwsgi_temp_path {state}/uwsgi; scgi_temp_path {state}/scgi;
  server {{
    listen 127.0.0.1:{port}; root {folder}; {fields}
    location /posters/ {{ default_type image/png; }}
  }}
}}
"""


@contextmanager
def serving(folder: Path, fields: dict[str, str] | None = None) -> Iterator[str]:
    """Serve a folder for the duration of the block, each file with these header fields; yield the base URL."""
    if shutil.which("nginx") is None:
        raise SystemExit("nginx is missing. Install nginx-light.")
    with tempfile.TemporaryDirectory(prefix="boxoffice-nginx.") as state:
        configuration = Path(state) / "nginx.conf"
        # Its workers would have another account, which cannot read a private folder.
        user = "user root;" if os.geteuid() == 0 else ""
        added = " ".join(f'add_header {name} "{value}";' for name, value in (fields or {}).items())
        configuration.write_text(
            CONFIGURATION.format(user=user, state=state, folder=folder, port=PORT, fields=added), encoding="ascii")
        process = subprocess.Popen(["nginx", "-c", str(configuration)], stderr=subprocess.DEVNULL)
        try:
            _await(process)
            yield f"http://127.0.0.1:{PORT}"
        finally:
            stop(process)


def _await(process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 10
    while process.poll() is None and time.monotonic() < deadline:
        try:
            http.client.HTTPConnection("127.0.0.1", PORT, timeout=1).connect()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit("nginx does not start")
