"""The page about the command and the command agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import Run

from candide.cli.app import app

PAGE = (Path(__file__).parents[2] / "docs" / "command.md").read_text(encoding="utf-8")
PARTS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
VERBS = [command.callback.__name__ for command in app.registered_commands if command.callback is not None]


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_is_on_the_page_and_none_more(run: Run, verb: str) -> None:
    shown = set(re.findall(r"--[a-z][a-z-]*", run(verb, "--help").stdout.split("Options:")[1]))
    shown = {option for option in shown if f"{option} " in run(verb, "--help").stdout}
    reading = set(re.findall(r"`(--[a-z-]+)", PARTS["How data are read"]))
    named = set(re.findall(r"--[a-z][a-z-]*", PARTS[verb]))
    if verb == "forget":
        named |= set(re.findall(r"--[a-z][a-z-]*", PARTS["update"]))
    assert named <= shown
    assert shown - named - reading <= {"--help", "--json", "--calibrate"}
