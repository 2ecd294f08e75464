"""One stand-in for all executables of a stack; its own file name selects the executable.

FAKE_CRASHES names an instance that ends at once, FAKE_MUTE one that never registers, FAKE_STUBBORN one that ignores
TERM, FAKE_TALKS one that writes 64 KiB at its start. Every service writes its environment to `seen/` in the run folder.
"""

import errno
import fcntl
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

NAME = Path(sys.argv[0]).name
RUN = Path(os.environ.get("BOXOFFICE_RUN", "/nowhere"))
INSTANCE = os.environ.get("BOXOFFICE_INSTANCE", f"{NAME}/0")
REGISTERED = RUN / "registered"
SEEN = RUN / "seen"
SERVICES = ("cache-store", "chart-fetcher", "detail-fetcher", "poster-resolver", "archive", "web", "exporter")


def is_one_of(variable: str) -> bool:
    return INSTANCE in os.environ.get(variable, "").split(",")


def note(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder / INSTANCE.replace("/", "-")


def wait_for_term() -> None:
    if is_one_of("FAKE_STUBBORN"):
        while True:
            signal.pause()
    signal.sigwait({signal.SIGTERM})


def broker() -> None:
    lock = open(RUN / "broker.lock", "w", encoding="ascii")
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    for name in ("broker.ipc", "events-in.ipc", "events.ipc"):
        (RUN / name).unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(RUN / name))
        listener.listen()
        globals()[name] = listener
    wait_for_term()
    for name in ("broker.ipc", "events-in.ipc", "events.ipc"):
        (RUN / name).unlink()


def keys_of_nats() -> None:
    """Do as `broker keygen --nats --operator stack` and `broker nats-config --users`, with a key whose seed is lost."""
    public = "UAAQEAYEAUDAOCAJBIFQYDIOB4IBCEQTCQKRMFYYDENBWHA5DYPSBT2P"
    folder = Path(sys.argv[sys.argv.index("--keys") + 1])
    if sys.argv[1] == "keygen":
        (folder / "nats/operators").mkdir(parents=True)
        (folder / "nats/operators/stack.key").write_text(f"{public}\nSU\n", encoding="ascii")
    else:
        print(f"users: [ {{ nkey: {public} }} ]")


def worker() -> None:
    if not is_one_of("FAKE_MUTE"):
        note(REGISTERED).touch()  # empty, so that it works on a full disk
    wait_for_term()
    note(REGISTERED).unlink(missing_ok=True)


def listen(port: str, url_file: str) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(port)))
    listener.listen()
    draft = RUN / f"{url_file}.draft"
    draft.write_text(f"http://127.0.0.1:{listener.getsockname()[1]}\n", encoding="ascii")
    draft.replace(url_file)
    return listener


def demo_upstream() -> None:
    arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    with listen(arguments["--port"], arguments["--url-file"]):
        wait_for_term()


def page() -> None:
    with listen(os.environ.get(f"BOXOFFICE_{NAME.upper()}_PORT", "0"), sys.argv[2]):
        worker()


def gateway() -> int:
    if sys.argv[1] in ("doctor", "config"):
        print(json.dumps({"ok": True, "findings": [], "settings": [], "unknown": [], "host": "some-host"}))
        return 0
    probe = socket.socket(socket.AF_UNIX)
    on_nats = (RUN / "bus").exists()
    try:
        if not on_nats:
            probe.connect(str(RUN / "broker.ipc"))
    except OSError:
        print("the broker does not answer", file=sys.stderr)
        return 69
    files = sorted(REGISTERED.glob("*")) if REGISTERED.exists() else []
    # Workers register again with each new broker.
    broker_began = 0.0 if on_nats else (RUN / "broker.lock").stat().st_mtime
    workers = [
        {"service": service, "instance": f"{service}/{number}", "capacity": 32, "inFlight": int(number.split("-")[-1]),
         "served": 1204, "draining": False,
         "registeredSeconds": time.time() - max(broker_began, file.stat().st_mtime)}
        for file in files for service in SERVICES if file.name.startswith(f"{service}-")
        for number in [file.name.removeprefix(f"{service}-")]
    ]
    def stats(name: str) -> dict:
        return {"id": name, "errors": {"timeout": 1, "busy": 1}, "latency": {"p99Microseconds": 108_250}}

    answers = {
        "workers": {"workers": workers, "broker": {"inFlight": 3, "served": 8120}},
        "stats": {"broker": stats("broker/1"),
                  "services": [{"instances": [stats(worker["instance"])]} for worker in workers]},
    }
    print(json.dumps(answers[sys.argv[1]]))
    return 0


if NAME in ("gateway", "tap"):
    sys.exit(gateway())
if NAME == "broker" and sys.argv[1:2] in (["keygen"], ["nats-config"]):
    sys.exit(keys_of_nats())
if "--check" in sys.argv:
    sys.exit(0)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
if is_one_of("FAKE_STUBBORN"):
    # From the start, since TERM may arrive as soon as it is registered.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
print(f"{INSTANCE} begins", flush=True)
if is_one_of("FAKE_TALKS"):
    print("\n".join(["talk " * 12] * 1024), flush=True)
try:
    note(SEEN).write_text(json.dumps({"environment": dict(os.environ), "arguments": sys.argv}), encoding="utf-8")
except OSError as error:
    # A real service writes nothing there, and runs on a full disk.
    if error.errno != errno.ENOSPC:
        raise
if is_one_of("FAKE_CRASHES"):
    print("fatal: as the test wishes", flush=True)
    sys.exit(78)
{"broker": broker, "demo-upstream": demo_upstream, "web": page, "exporter": page}.get(NAME, worker)()
