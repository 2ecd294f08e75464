"""Whether every module imports only what its place allows, as `Shared/README.md` draws it."""

from __future__ import annotations

import functools
import json
import re
import subprocess
import unittest
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def groups_of(page: str) -> list[str]:
    """Return the groups of `Shared` in their order, from the line that draws them."""
    drawn = re.search(r"^    (\w+(?: ← \w+)+)$", page, re.MULTILINE)
    assert drawn, "Shared/README.md draws no arrows"
    return drawn[1].split(" ← ")


def violations(paths: Mapping[str, str], dependencies: Mapping[str, Sequence[str]], groups: Sequence[str]) -> list[str]:
    """Return a line for each arrow that points upwards, or from one service to another."""

    def place(module: str) -> tuple[int, str]:
        top, room = Path(paths[module]).parts[:2]
        if top == "Services":
            return len(groups), room
        return (groups.index(room), "") if top == "Shared" and room in groups else (len(groups) + 1, "")

    wrong = []
    for module, needed in sorted(dependencies.items()):
        (height, room), top = place(module), Path(paths[module]).parts[0]
        if top == "Shared" and height >= len(groups):
            wrong.append(f"{paths[module]} is in no group")
        for other in needed:
            above, neighbour = place(other)
            if top != "Tests" and (above > height or (top == "Services" and above == height and neighbour != room)):
                wrong.append(f"{paths[module]} imports {paths[other]}")
    return wrong


@functools.cache
def described_package() -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the path and the dependencies in the package of each target, by its name."""
    described = subprocess.run(
        ["swift", "package", "--scratch-path", str(ROOT / ".build/layers"), "dump-package"], cwd=ROOT,
        stdout=subprocess.PIPE, check=True).stdout
    targets = json.loads(described)["targets"]
    paths = {target["name"]: target["path"] for target in targets}
    dependencies = {
        target["name"]: [name for entry in target["dependencies"] for kind in ("byName", "target")
                         for name in entry.get(kind, [])[:1] if name in paths]
        for target in targets}
    return paths, dependencies


class LayerTests(unittest.TestCase):
    """The package as it is, and packages that are wrong."""

    def test_every_arrow_points_downwards(self) -> None:
        paths, dependencies = described_package()
        self.assertIn("Domain", dependencies["Contracts"])
        groups = groups_of((ROOT / "Shared/README.md").read_text(encoding="utf-8"))
        self.assertEqual(violations(paths, dependencies, groups), [])

    def test_only_the_settings_and_the_broker_name_a_transport(self) -> None:
        paths, dependencies = described_package()
        transports = {"CNATS", "CZeroMQ", "Majordomo", "MajordomoBus", "NATS", "ZeroMQ"}
        users = {paths[module] for module, needed in dependencies.items()
                 if transports & set(needed) and module not in transports and not paths[module].startswith("Tests/")}
        self.assertEqual(users, {"Shared/Bus/BusSettings", "Services/Broker/Core", "Services/Broker/Machine"})
        self.assertFalse({"Majordomo", "MajordomoBus", "ZeroMQ"} & set(dependencies["NATS"]))

    def test_a_wrong_arrow_is_named(self) -> None:
        paths = {"Low": "Shared/A/Low", "High": "Shared/B/High", "Loose": "Shared/Loose", "XCore": "Services/X/Core",
                 "YCore": "Services/Y/Core", "x": "Services/X/Command", "XTests": "Tests/XTests"}
        right = {"High": ["Low"], "XCore": ["High", "Low"], "x": ["XCore"], "XTests": ["XCore", "YCore"]}
        self.assertEqual(violations(paths, right, ["A", "B"]), [])
        wrong = {"Low": ["High"], "High": ["XCore"], "Loose": [], "XCore": ["YCore"]}
        self.assertEqual(violations(paths, wrong, ["A", "B"]), [
            "Shared/B/High imports Services/X/Core", "Shared/Loose is in no group", "Shared/A/Low imports Shared/B/High",
            "Services/X/Core imports Services/Y/Core"])


if __name__ == "__main__":
    unittest.main()
