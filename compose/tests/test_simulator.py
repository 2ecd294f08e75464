"""The parts of `compose/simulate` that need no build."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import mutation.table
from simulator.mutants import Mutant, load


class Edits(unittest.TestCase):
    """A mutant is one edit in one place, or nothing at all."""

    mutant = Mutant("flaw", "Source.swift", "a < b", "a <= b", 10)

    def test_the_snippet_is_replaced(self) -> None:
        self.assertEqual(self.mutant.edited("if a < b {"), "if a <= b {")

    def test_a_snippet_that_stands_nowhere_or_twice_is_told(self) -> None:
        for text, count in (("if b > a {", "0 times"), ("a < b && a < b", "2 times")):
            with self.subTest(text), self.assertRaises(SystemExit) as caught:
                self.mutant.edited(text)
            self.assertIn(f"“flaw”: its snippet stands {count} in Source.swift", str(caught.exception))


class Table(unittest.TestCase):
    """Tests/Simulation/mutants.toml."""

    def test_every_mutant_fits_its_source(self) -> None:
        for mutant in load():
            with self.subTest(mutant.name):
                source = mutant.path.read_text(encoding="utf-8")
                self.assertNotEqual(mutant.edited(source), source)

    def test_names_are_unique_and_all_that_was_asked_for_is_there(self) -> None:
        names = [mutant.name for mutant in load()]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual(
            {
                "no hand-over", "non-idempotent handed over", "stale attempt accepted", "wrong client", "double FINAL",
                "capacity off by one", "expired handed out", "drain ignored", "dead worker kept", "attempts unbounded",
                "entry leaked", "traffic not counted as heartbeat",
            },
            set(names))

    def test_names_choose_and_unknown_ones_are_told(self) -> None:
        self.assertEqual([mutant.name for mutant in load(["double FINAL"])], ["double FINAL"])
        with self.assertRaises(SystemExit) as caught:
            load(["double FINAL", "tripel FINAL"])
        self.assertEqual(str(caught.exception), "compose/simulate: no mutant is called tripel FINAL")

    def test_another_table_can_be_read(self) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as file:
            file.write('[[mutant]]\nname = "x"\nfile = "y"\nsnippet = "a"\nreplacement = "b"\nseeds = 3\n')
            file.flush()
            self.assertEqual(load(table=Path(file.name)), [Mutant("x", "y", "a", "b", 3)])


class TableOfPrograms(unittest.TestCase):
    """Tests/ProcessTests/mutants.toml."""

    def test_every_mutant_fits_its_source(self) -> None:
        mutants = mutation.table.load()
        self.assertIn("put acknowledged before its commit", [mutant.name for mutant in mutants])
        for mutant in mutants:
            with self.subTest(mutant.name):
                source = (mutation.table.ROOT / mutant.file).read_text(encoding="utf-8")
                self.assertNotEqual(mutant.edited(source), source)

    def test_an_unknown_name_is_told(self) -> None:
        with self.assertRaises(SystemExit) as caught:
            mutation.table.load(["nothing"])
        self.assertEqual(str(caught.exception), "compose/mutants: no mutant is called nothing")
