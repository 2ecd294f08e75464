"""What `Tests/Tools/Flood/flood` prints."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping

from .balance import Counts
from .well_behaved_peers import Account
from .flood import Flood


def report(
    flood: Flood, client: Account, worker: Account, asked: int, stats: Mapping[str, object], counts: Counts
) -> str:
    """Return all figures of a run."""
    corrupted = sum((peer.corrupted for peer in flood.peers), Counter())
    good, noise = (sum(getattr(peer, name) for peer in flood.peers) for name in ("good", "noise"))
    times = client.milliseconds
    assert isinstance(stats["dropped"], dict) and isinstance(stats["errors"], dict)
    return "\n".join([
        f"sent      {flood.sent:,} messages in {flood.seconds:.1f} s ({flood.sent / flood.seconds:,.0f} /s) "
        f"by {len(flood.peers)} peers, who heard {sum(peer.received for peer in flood.peers):,}",
        f"          {good:,} good · {noise:,} noise · {corrupted.total():,} with one frame corrupted: "
        f"{listed(corrupted)}",
        f"branches  {listed(Counter({name: n for (kind, name), n in counts.items() if kind == 'received'}))}",
        f"faults    {listed(Counter({name: n for (kind, name), n in counts.items() if kind == 'faults'}))}",
        f"counted   {counts.total():,} = {flood.sent:,} of the flood + {client.sent.total():,} of the good client "
        f"+ {worker.sent.total():,} of the good worker + {asked + sum(peer.signs for peer in flood.peers):,} "
        "of this script",
        f"dropped   {listed(Counter(stats['dropped']))}",
        f"refused   {listed(Counter(stats['errors']))}; answered {stats['answered']:,}",
        f"asked     {client.sent.total():,} questions by the good client, {len(times):,} answers, {quantiles(times)}",
        f"memory    {flood.memory.text()}",
    ])


def listed(counts: Counter[str]) -> str:
    return " · ".join(f"{name} {count:,}" for name, count in counts.most_common()) or "nothing"


def quantiles(milliseconds: list[float]) -> str:
    if len(milliseconds) < 2:
        return "too few for quantiles"
    cuts = statistics.quantiles(milliseconds, n=100)
    return f"p50 {cuts[49]:.2f} ms, p99 {cuts[98]:.2f} ms, longest {max(milliseconds):.0f} ms"
