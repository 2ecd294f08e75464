"""The tables of mutants; these tests need no build."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from Mutation.table import MachineMutant, choose, load


class Edits(unittest.TestCase):
    """A mutant is one edit in exactly one place."""

    mutant = MachineMutant("flaw", "Source.swift", "a < b", "a <= b", 10)

    def test_the_snippet_is_replaced(self) -> None:
        self.assertEqual(self.mutant.edited("if a < b {"), "if a <= b {")

    def test_a_snippet_that_occurs_nowhere_or_twice_is_reported(self) -> None:
        for text, count in (("if b > a {", "0 times"), ("a < b && a < b", "2 times")):
            with self.subTest(text), self.assertRaises(SystemExit) as caught:
                self.mutant.edited(text)
            self.assertIn(f"“flaw”: its snippet occurs {count} in Source.swift", str(caught.exception))


class Tables(unittest.TestCase):
    """machines.toml and programs.toml."""

    def test_every_mutant_fits_its_source(self) -> None:
        for mutant in load():
            with self.subTest(mutant.name):
                source = mutant.path.read_text(encoding="utf-8")
                self.assertNotEqual(mutant.edited(source), source)

    def test_names_are_unique_and_the_important_ones_are_there(self) -> None:
        names = [mutant.name for mutant in load()]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual(
            {
                "no redelivery", "non-idempotent redelivered", "stale attempt accepted", "wrong client", "double FINAL",
                "capacity off by one", "expired dispatched", "drain ignored", "dead worker kept", "attempts unbounded",
                "entry leaked", "traffic not counted as heartbeat", "put acknowledged before its commit",
            },
            set(names))

    def test_names_choose_and_unknown_ones_are_reported(self) -> None:
        self.assertEqual([mutant.name for mutant in choose(load(), ["double FINAL"])], ["double FINAL"])
        with self.assertRaises(SystemExit) as caught:
            choose(load(), ["double FINAL", "tripel FINAL"])
        self.assertEqual(str(caught.exception), "Tests/Tools/Mutation/mutation: no mutant is called tripel FINAL")

    def test_another_table_can_be_read(self) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as file:
            file.write('[[mutant]]\nname = "x"\nfile = "y"\nsnippet = "a"\nreplacement = "b"\nseeds = 3\n')
            file.flush()
            self.assertEqual(load(machines=Path(file.name))[0], MachineMutant("x", "y", "a", "b", 3))
