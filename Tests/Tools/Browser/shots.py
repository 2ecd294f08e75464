"""The screenshots of the documentation."""

from __future__ import annotations

from pathlib import Path

from .scene import Scene

# Name, address, width and height, theme.
SHOTS = (
    ("list", "/2022-01-05?lang=ko", (1280, 1340), "light"),
    ("grid", "/2022-01-05?view=grid&lang=ko", (1280, 900), "dark"),
    ("how", "/2021-12-05?lang=en", (1280, 900), "light"),
    ("month", "/2022-01?lang=ko", (1280, 1340), "light"),
    ("film", "FILM?lang=ko", (1280, 1340), "light"),
    ("phone", "/2022-01-05?lang=ko", (390, 844), "light"),
)


def take_shots(scene: Scene, folder: Path) -> None:
    """Write each screenshot as a PNG file."""
    folder.mkdir(parents=True, exist_ok=True)
    scene.archive("2021-11-01..2022-02-05")
    for name, path, (width, height), theme in SHOTS:
        with scene.context(viewport={"width": width, "height": height}, color_scheme=theme) as context:
            page = scene.visit(context, path.replace("FILM", _film(scene))).page
            if name == "how":
                page.click(".how a")
            page.wait_for_load_state("networkidle")
            page.screenshot(path=folder / f"{name}.png")
            print(folder / f"{name}.png")


def _film(scene: Scene) -> str:
    """Return the page of no. 1."""
    with scene.context() as context:
        return str(scene.visit(context, "/2022-01-05").page.locator(".film h2 a").first.get_attribute("href"))
