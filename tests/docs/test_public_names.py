"""What the pages name exists, and what exists is named in the reference."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import candide

ROOT = Path(__file__).parents[2]
ROOMS = ("counts", "data", "engines", "errors", "events", "explain", "labels", "posterior", "priors", "scorecard")
README = (ROOT / "README.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")


def public_names(room: str) -> list[str]:
    """The names a room offers: those of `__all__`, or else the public classes it defines."""
    module = import_module(f"candide.{room}")
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return getattr(module, "__all__", [name for name in own if name[0].isupper()])


@pytest.mark.parametrize("name", candide.ESTIMATORS)
def test_classifiers_are_in_the_reference(name: str) -> None:
    assert f"### {name}\n" in REFERENCE
    parameters = re.search(rf"`{name}\((.*?)\)`", REFERENCE, re.DOTALL)
    assert parameters is not None
    parts = [part for part in parameters[1].split(",") if part.strip() != "*"]
    shown = {part.split("=")[0].strip(): eval(part.split("=")[1]) for part in parts}
    assert shown == getattr(candide, name)().get_params()


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_are_in_the_reference(room: str) -> None:
    missing = [name for name in public_names(room) if not re.search(rf"`{name}\b", REFERENCE)]
    assert not missing


def test_the_readme_names_targets_that_exist() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"make (demo|test|bench|docs|lint|clean)\b", README))
    assert {"demo", "test", "bench"} <= named <= targets


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 160


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))])
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        name, _, anchor = target.partition("#")
        there = page.parent / name if name else page
        assert there.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", there.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings], target
