"""The command line of `Tests/Tools/Conformance/conformance`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace

import zmq

from launcher.terminal import UsageParser

from . import (  # in the order of the report
    rules_client,
    rules_worker,
    rules_heartbeat,
    rules_lost,
    rules_management,
    rules_mixed,
    rules_options,
    rules_control,
    rules_invalid,
    rules_names,
)
from .dialect import BOTH
from .limits import Limits
from .report import CHAPTERS, as_json, as_text
from .rule import RULES
from .run import FAILS, NOT_RUN, Run
from .scene import Endpoints

ALL_OK, SOME_FAIL, USAGE, UNAVAILABLE = 0, 1, 64, 69
_LOADED = (
    rules_client, rules_worker, rules_heartbeat, rules_lost, rules_management, rules_mixed, rules_options,
    rules_control, rules_invalid, rules_names,
)

_ABOUT = """\
Plays clients and workers of Majordomo 0.1 (RFC 7) and 0.2 (RFC 18) at a broker, asks its management interface (RFC 8),
and prints rule by rule whether the broker keeps them. Works for any Majordomo broker; what it does not speak is said.
Invalid messages come last, since weak brokers die of them: do not point this at a broker that others need.
"""
_CODES = "exit codes: 0 all ok · 1 some fail · 64 usage · 69 nothing that speaks Majordomo at the endpoint"


def main(arguments: Sequence[str]) -> int:
    """Check a broker and return the exit code."""
    options = _parser().parse_args(arguments)
    chapters = _chapters(options.rfc, options.extensions)
    limits = replace(
        Limits(), answer=options.timeout, longest=options.longest, heartbeat=options.heartbeat)
    run = Run(Endpoints(options.endpoint, options.workers or options.endpoint), limits)
    wanted = [each for each in BOTH if each.rfc in (options.rfc or [])] or list(BOTH)
    try:
        spoken = run.detect_versions(wanted)
    except zmq.ZMQError as error:
        print(f"Tests/Tools/Conformance/conformance: {options.endpoint} is no endpoint: {error}", file=sys.stderr)
        return USAGE
    if not spoken:
        versions = " nor ".join(each.version for each in wanted)
        print(
            f"Tests/Tools/Conformance/conformance: in {2 * limits.answer:g} s nothing at {options.endpoint} has handed "
            f"a request to its worker, by Majordomo {versions}", file=sys.stderr)
        return UNAVAILABLE
    rules = [rule for chapter in chapters for rule in RULES if rule.chapter == chapter]
    outcomes = run.check(rules, spoken)
    print(as_json(options.endpoint, spoken, outcomes) if options.json else as_text(outcomes))
    return SOME_FAIL if any(outcome.status in (FAILS, NOT_RUN) for outcome in outcomes) else ALL_OK


def _chapters(rfcs: list[str] | None, has_extensions: bool) -> list[str]:
    if rfcs is None:
        return [chapter for chapter in CHAPTERS if chapter != "ours" or has_extensions]
    return [*rfcs, *(["ours"] if has_extensions else [])]


def _parser() -> UsageParser:
    default = Limits()
    parser = UsageParser(
        prog="Tests/Tools/Conformance/conformance", description=_ABOUT, epilog=_CODES, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("endpoint", metavar="ENDPOINT", help="of the broker, as ipc:///path or tcp://host:port")
    parser.add_argument("--workers", metavar="ENDPOINT", help="for workers, if they have a socket of their own")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rfc", action="append", choices=["7", "18", "8"], help="only this one; may be given again")
    parser.add_argument("--extensions", action="store_true", help="check this repository's extensions too")
    for name, value, about in [
        ("timeout", default.answer, "seconds for what must come at once"),
        ("longest", default.longest, "seconds for what depends on the broker's heartbeat interval"),
        ("heartbeat", default.heartbeat, "seconds between heartbeats of the kit, at most the broker's interval"),
    ]:
        description = f"{about} (default: {value:g})"
        parser.add_argument(f"--{name}", type=_seconds, default=value, metavar="S", help=description)
    return parser


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0.01 <= seconds <= 3600:
        raise argparse.ArgumentTypeError("0.01 to 3600 seconds")
    return seconds
