"""The command line of `Tests/Tools/Flood/flood`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import zmq

from launcher.terminal import UsageParser

from .balance import Counts, differences, wait_until_counted
from .broker import Broker, broker
from .well_behaved_peers import Account, WellBehavedPeer, ask, serve
from .flood import Flood, flood
from .report import report

ROOT = Path(__file__).resolve().parents[3]
HOLDS, FAILS, UNAVAILABLE = 0, 1, 69


def main(arguments: Sequence[str], usage: str | None) -> int:
    """Flood a broker and return 0 if every check passed."""
    parser = UsageParser(
        prog="Tests/Tools/Flood/flood", description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=1_000_000, help="of the flood (default 1,000,000)")
    parser.add_argument("--bin", type=Path, default=ROOT / ".build/release", help="where the broker lies")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other messages (default 1)")
    options = parser.parse_args(arguments)
    if options.messages < 1:
        parser.error("--messages takes 1 or more")
    if not (options.bin / "broker").exists():
        print(f"Tests/Tools/Flood/flood: there is no broker in {options.bin}. Build: swift build -c release", file=sys.stderr)
        return UNAVAILABLE
    with zmq.Context() as context, broker(options.bin, context) as flooded:
        return run(flooded, context, options.messages, options.seed)


def run(flooded: Broker, context: zmq.Context[zmq.Socket[bytes]], count: int, seed: int) -> int:
    """Flood a running broker, check all counts, and print the report."""
    with WellBehavedPeer(serve, flooded.endpoint) as worker, WellBehavedPeer(ask, flooded.endpoint) as client:
        result = flood(flooded, context, count, seed)
        asked_by_client, served_by_worker = client.stop(), worker.stop()
    if not flooded.is_running:
        print("\n".join(result.troubles), file=sys.stderr)
        return FAILS
    expected: Counts = sum((peer.expected for peer in result.peers), Counter())
    signs = Counter({("received", "client_request"): sum(peer.signs for peer in result.peers)})
    expected = expected + signs + asked_by_client.sent + served_by_worker.sent
    stats, counts = wait_until_counted(flooded, expected)
    print(report(result, asked_by_client, served_by_worker, flooded.question_count, stats, counts))
    troubles = result.troubles + asked_by_client.troubles + served_by_worker.troubles
    troubles += differences(counts, expected, flooded.question_count)
    troubles += further_troubles(result, asked_by_client, stats, counts)
    for trouble in troubles:
        print(f"fails     {trouble}", file=sys.stderr)
    print("It does not hold." if troubles else "It holds: nothing lost, nothing uncounted, everyone answered.")
    return FAILS if troubles else HOLDS


def further_troubles(result: Flood, client: Account, stats: dict[str, object], counts: Counts) -> list[str]:
    """Return the failed checks of memory, drops and replies."""
    found = result.memory.troubles(result.sent)
    if len(client.milliseconds) != client.sent.total() or not client.milliseconds:
        found.append(f"{client.sent.total()} questions, {len(client.milliseconds)} answers")
    dropped = stats["dropped"]
    faults = sum(count for (kind, _), count in counts.items() if kind == "faults")
    if not isinstance(dropped, dict) or dropped.get("malformed", 0) != faults:
        found.append(f"{faults:,} faults, but {dropped} dropped")
    return found
