"""What the flood and the fuzzer rely on: their own decoder of the wire format, and the seeds of the fuzzer."""

from __future__ import annotations

import json
import re
import unittest
from collections import Counter
from pathlib import Path
from random import Random

from Flood import messages
from Flood.verdict import verdict
from Fuzz.corpus import packed, seeds
from Conformance.dialect import BOTH, V02

ROOT = Path(__file__).resolve().parents[3]


class Verdict(unittest.TestCase):
    """The flood's own decoder, checked against the golden vectors."""

    def test_every_vector_gets_the_verdict_it_states(self) -> None:
        seen = Counter[str]()
        for name in ("mdp-client", "mdp-worker"):
            for vector in json.loads((ROOT / f"Tests/Support/Vectors/{name}.json").read_text(encoding="utf-8")):
                if vector["to"] != "broker":
                    continue
                kind, branch = verdict([bytes.fromhex(frame) for frame in vector["frames"]])
                meaning = vector["meaning"]
                # A REQUEST can be decoded, but only a broker may send it; some names are reserved, too.
                if meaning is None or (vector["from"] == "worker" and meaning["kind"] == "request"):
                    self.assertEqual(kind, "faults", vector["name"])
                else:
                    expected = ("received", f"{vector['from']}_{meaning['kind']}")
                    self.assertEqual((kind, branch), expected, vector["name"])
                seen[kind] += 1
        self.assertGreater(min(seen["received"], seen["faults"]), 10)

    def test_valid_messages_have_no_fault_and_a_corrupted_one_differs_in_one_frame(self) -> None:
        dice = Random(3)
        for dialect in BOTH:
            for parts in (messages.request(dialect, dice), messages.ready(dialect, dice, "flood/1"),
                          messages.heartbeat(dialect, dice), messages.disconnect(dialect),
                          messages.reply(dialect, dice, bytes(17))):
                self.assertEqual(verdict([part.frame for part in parts])[0], "received")
                for _ in range(50):
                    name, frames = messages.corrupted(parts, dice)
                    changed = sum(part.frame != frame for part, frame in zip(parts, frames))
                    self.assertTrue(changed <= 1 or len(frames) != len(parts))
                    self.assertIn(name, [part.name for part in parts])

    def test_a_corrupted_control_frame_is_recognised(self) -> None:
        head = V02.client_request(b"echo", [])
        good = messages.control(Random(1))
        self.assertEqual(verdict([*head, good]), ("received", "client_request"))
        for bad in (good[:31], good + b"\0", good[:4] + b"\2" + good[5:], good[:7] + b"\1" + good[8:], b"KBOX"):
            self.assertEqual(verdict([*head, bad]), ("faults", "control"))


class Corpus(unittest.TestCase):
    """The seeds of the fuzzer."""

    def test_every_target_has_seeds(self) -> None:
        source = (ROOT / "Tests/Tools/Fuzz/Targets/FuzzTarget.swift").read_text(encoding="utf-8")
        cases = re.findall(r'^    case (\w+)(?: = "([a-z-]+)")?$', source, re.MULTILINE)
        names = [named or case for case, named in cases]
        self.assertGreaterEqual(len(names), 10)
        for name in names:
            self.assertTrue(list(seeds(name)), name)

    def test_frames_are_packed_by_their_length(self) -> None:
        self.assertEqual(packed([b"", b"ab"]), b"\x00\x02ab")
        self.assertEqual(packed([b"x" * 255])[:4], b"\xff\x00\xffx")


if __name__ == "__main__":
    unittest.main()
