"""Whatever goes wrong: one line on standard error, a documented exit code, no file half written."""

from __future__ import annotations

import os
import random
import signal
import string
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import TABLE, Run, process, python
from typer.testing import CliRunner

import candide.cli.predict
from candide.cli.app import app

Put = Callable[[str, "str | bytes"], str]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"a,y\n", "no rows"),
        (b"a,a,y\n1,2,3\n", "more than one column 'a'"),
        (b"a,y\n1,\n2,\n", "all 2 rows have no label"),
        (b"a,y\n1,0.5\n2,0.25\n", "no classes"),
        ("a,y\nä,b\n".encode("latin-1"), "--encoding"),
        (b"a,z\n1,2\n", "'y' is not in the data"),
        (b"a,y\n1,2,3\n", "3 cells where the header has 2"),
        (b"PAR1", "is not Parquet"),
    ],
)
def test_data_that_cannot_be_learnt_from(run: Run, put: Put, data: bytes, said: str) -> None:
    name = "t.parquet" if data == b"PAR1" else "t.csv"
    done = run("train", put(name, data), "-l", "y", code=1)
    assert said in done.stderr
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert not Path("t.candide").exists()


@pytest.mark.parametrize(
    "data",
    [
        TABLE.encode("utf-16"),
        b"\xef\xbb\xbf" + TABLE.encode(),
        TABLE.replace("\n", "\r\n").encode(),
        TABLE.replace("letter", "").encode(),
        TABLE.replace(",p,", ',"p\nq, ""r""",').encode(),
        TABLE.replace("count", "label").replace("size", "class").encode(),
    ],
    ids=["utf-16", "mark", "crlf", "a column without a name", "line ends in cells", "columns called label and class"],
)
def test_data_that_are_odd_and_fine(run: Run, put: Put, data: bytes) -> None:
    run("train", put("t.csv", data), "-l", "answer")
    assert run("predict", "t.candide", "t.csv").stdout.count("\n") == 211


def test_nothing_to_tell_classes_by(run: Run, put: Put, table: str) -> None:
    run("train", table, "-l", "answer", "--columns", "count=ignore,letter=ignore,size=ignore")
    run("explain", "table.candide", "count=3")
    run("explain", "table.candide", "count=3", "--derive")
    run("show", "table.candide")
    assert "none of the model's columns" not in run("predict", "table.candide", table).output


def test_one_class_only(run: Run, put: Put) -> None:
    done = run("train", put("one.csv", "a,y\n" + "1,p\n2,p\n" * 5), "-l", "y")
    assert "every row has the label 'p'" in done.stderr
    for words in (("predict", "one.candide", "one.csv", "--proba"), ("show", "one.candide")):
        run(*words)
    run("explain", "one.candide", "a=1")
    run("plot", "one.candide", "nomogram", code=1)


def test_new_data_without_a_cell_that_is_known(run: Run, model: str, put: Put) -> None:
    assert "none of the model's columns" in run("predict", model, put("x.csv", "foo\n1\n"), code=1).stderr
    assert "the data lack 'count', 'size'" in run("predict", model, put("y.csv", "letter\np\n")).stderr
    run("predict", model, put("z.csv", "count,letter,size\n,,\n"))


def test_columns_of_one_name(run: Run, model: str, put: Put) -> None:
    put("p.csv", "count,prediction\n1,2\n")
    assert "two columns would be called 'prediction'" in run("predict", model, "p.csv", "--with-data", code=1).stderr


def test_bad_rows_can_be_left_out(run: Run, model: str, put: Put) -> None:
    put("bad.csv", "count,letter\n1,p\nx,q\n1,2,3\n2,p\n")
    assert "line 4" in run("predict", model, "bad.csv", code=1).stderr
    done = run("predict", model, "bad.csv", "--skip-bad-rows")
    assert "2 rows could not be read" in done.stderr
    assert done.stdout.count("\n") == 3


@pytest.mark.parametrize(
    "words",
    [
        ["foo"],
        ["predict"],
        ["train", "table.csv"],
        ["train", "table.csv", "-l", "answer", "--missing", "foo"],
        ["train", "table.csv", "-l", "answer", "--folds", "1"],
        ["evaluate", "table.csv"],
        ["evaluate", "table.csv", "--folds", "3"],
        ["evaluate", "table.csv", "--label", "answer", "--folds", "3", "--leave-one-out"],
        ["explain", "model.candide"],
        ["explain", "model.candide", "count=1", "--unit", "grams"],
        ["plot", "model.candide", "foo"],
        ["plot", "model.candide", "densities"],
        ["merge", "model.candide", "-o", "x.candide"],
    ],
)
def test_commands_that_are_none(run: Run, model: str, words: list[str]) -> None:
    done = run(*words, code=2)
    assert "Usage: candide" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "words",
    [
        ["predict", "no.candide", "table.csv"],
        ["predict", ".", "table.csv"],
        ["predict", "table.csv", "table.csv"],
        ["predict", "model.candide", "no.csv"],
        ["predict", "model.candide", "table.csv", "-o", "no/such/folder.csv"],
        ["predict", "model.candide", "table.csv", "-o", "x.foo"],
        ["predict", "model.candide", "table.csv", "--to", "foo"],
        ["predict", "model.candide", "table.csv", "--keep", "foo"],
        ["train", "table.csv", "-l", "answer", "-o", "no/such/folder.candide"],
        ["train", "table.csv", "-l", "answer", "-o", "."],
        ["train", "table.csv", "-l", "answer", "--columns", "count=foo"],
        ["train", "table.csv", "-l", "answer", "--columns", "foo=gaussian"],
        ["train", "table.csv", "-l", "answer", "--columns", "letter=gaussian"],
        ["train", "table.csv", "-l", "answer", "--memory", "foo"],
        ["train", "table.csv", "-l", "answer", "--encoding", "foo"],
        ["explain", "model.candide", "foo=1"],
        ["explain", "model.candide", "count=x"],
        ["explain", "model.candide", "{"],
        ["explain", "model.candide", "count"],
        ["explain", "model.candide", "--data", "table.csv", "--row", "999"],
        ["show", "model.candide", "foo"],
        ["evaluate", "table.csv", "--label", "answer", "--folds", "300"],
        ["example", "D99"],
        ["plot", "model.candide", "reliability", "-o", "x.foo"],
        ["plot", "model.candide", "densities", "letter"],
    ],
)
def test_files_and_columns_that_are_not_there(run: Run, model: str, words: list[str]) -> None:
    done = run(*words, code=1)
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


def test_a_bug_is_called_one(run: Run, model: str, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oh\nno")

    monkeypatch.setattr(candide.cli.predict, "_kept", broken)
    done = run("predict", model, table, code=3)
    assert (
        done.stderr.strip() == "error: ZeroDivisionError: oh no. This is a bug in candide; CANDIDE_DEBUG=1 shows where."
    )


def test_fuzz(here: Path) -> None:
    """Random and mutated tables and models: only documented exit codes, none of a bug."""
    dice, runner = random.Random(11), CliRunner()
    (here / "good.csv").write_text(TABLE)
    assert runner.invoke(app, ["train", "good.csv", "-l", "answer", "-o", "good.candide"]).exit_code == 0
    model = (here / "good.candide").read_bytes()
    for _ in range(60):
        data = bytearray(TABLE.encode()[: dice.randrange(20, 3000)])
        for _ in range(dice.randrange(6)):
            data[dice.randrange(len(data))] = dice.choice(b'",\n;\x00\xff a1-.|\t')
        (here / "t.csv").write_bytes(bytes(data))
        kept = bytearray(model)
        for _ in range(dice.randrange(3)):
            kept[dice.randrange(len(kept))] ^= 1 << dice.randrange(8)
        (here / "m.candide").write_bytes(bytes(kept[: dice.choice([len(kept), len(kept), dice.randrange(len(kept))])]))
        word = "".join(dice.choices(string.printable, k=6))
        for words in (
            ["train", "t.csv", "-l", "answer", "-o", "new.candide", *dice.choice([[], ["--skip-bad-rows"]])],
            ["predict", "m.candide", "t.csv"],
            ["predict", "good.candide", "t.csv", "--with-data"],
            ["evaluate", "good.candide", "t.csv"],
            ["update", "good.candide", "t.csv", "-o", "new.candide"],
            ["explain", "good.candide", f"letter={word}", f"size={word}"],
        ):
            done = runner.invoke(app, words)
            assert done.exit_code in (0, 1, 2), (words, done.output)
            assert "Traceback" not in done.output


# ---------------------------------------------------------------- as processes


@pytest.fixture
def long(here: Path) -> Path:
    """A table that takes a while."""
    head, body = TABLE.split("\n", 1)
    path = here / "long.csv"
    path.write_text(head + "\n" + body * 3000)
    return path


def ended(command: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    out, err = command.communicate(timeout=120)
    return command.returncode, (out or b"").decode(), err.decode()


def test_an_interrupt_leaves_nothing_half_written(table: str, here: Path) -> None:
    code = (
        "import sys, time; from candide.cli import main; from candide.classifier import TableModel\n"
        "def count(*_): print('counting', file=sys.stderr, flush=True); time.sleep(60)\n"
        "TableModel.learnt = count\n"
        "sys.argv = ['candide', 'train', 'table.csv', '-l', 'answer', '-o', 'm.candide']\n"
        "main()\n"
    )
    with python("-c", code) as command:
        assert command.stderr is not None
        assert command.stderr.readline() == b"counting\n"
        command.send_signal(signal.SIGINT)
        said = command.stderr.read().decode()
        assert command.wait(timeout=120) == 130
    assert said.startswith("interrupted")
    assert len(said.splitlines()) == 1
    assert [path.name for path in here.iterdir()] == ["table.csv"]


def test_a_pipe_that_is_closed_early(long: Path, run: Run, model: str) -> None:
    with process("predict", model, long) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        assert command.stdout.readline() == b"prediction,probability\n"
        command.stdout.close()
        assert command.stderr.read() == b""
        assert command.wait(timeout=120) == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk(run: Run, model: str, table: str) -> None:
    for words in (("predict", model, table), ("show", model), ("--help",)):
        with open("/dev/full", "wb") as full:
            code, _, err = ended(process(*words, stdout=full))
        assert code == 1
        assert "No space left on device" in err
        assert "Traceback" not in err


def test_starting_imports_nothing_that_predicting_does_not_need(run: Run, model: str, table: str) -> None:
    code = (
        "import sys; sys.argv = ['candide', 'predict', *sys.argv[1:]]\n"
        "from candide.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "heavy = {'sklearn', 'pandas', 'polars', 'matplotlib', 'numba', 'scipy.stats'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    path = str(Path(__file__).parents[2] / "src")
    words = [sys.executable, "-c", code, model, table, "-o", "out.csv"]
    done = subprocess.run(words, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_help_shows_an_example_of_every_verb_and_the_exit_codes(run: Run) -> None:
    overview = run("--help").stdout
    assert "130" in overview
    for verb in ("train", "predict", "evaluate", "explain", "show", "update", "forget", "merge", "example", "plot"):
        assert f"candide {verb} " in run(verb, "--help").stdout
        assert f"  {verb} " in overview
    assert run("--version").stdout.startswith("candide ")


def test_as_a_module() -> None:
    code, out, _ = ended(process("--version"))
    assert code == 0
    assert out.startswith("candide ")
