"""Mail through the command: learnt, corrected, marked, never lost."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from commands import Run, process

Put = Callable[[str, "str | bytes"], str]

GOOD = ["lunch on friday with the team", "minutes of our meeting", "the report you asked for", "see you at the station"]
BAD = ["buy cheap pills now", "you are a winner claim your prize", "cheap loans click now", "free pills free prize"]
WIN = b"Subject: free prize\nFrom: x@winner.biz\n\nclaim your cheap pills now\n"
LUNCH = b"Subject: lunch\nFrom: ann@example.com\n\nthe meeting with our team on friday\n"


def mail(text: str, sender: str, number: int) -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"] = " ".join(text.split()[:3]), sender
    message.set_content(f"{text}\nnumber {number}\n")
    return message.as_bytes()


@pytest.fixture
def boxes(here: Path) -> Path:
    """ham.mbox and the Maildir spam, 40 messages each."""
    ham = b"".join(
        b"From ann@example.com Thu Aug 22 12:36:23 2002\n" + mail(GOOD[i % 4], "Ann <ann@example.com>", i) + b"\n"
        for i in range(40)
    )
    (here / "ham.mbox").write_bytes(ham)
    for folder in ("cur", "new", "tmp"):
        (here / "spam" / folder).mkdir(parents=True)
    for i in range(40):
        place = here / "spam" / ("cur" if i % 2 else "new") / str(i)
        place.write_bytes(mail(BAD[i % 4], f"x{i % 3}@winner.biz", i))
    return here


@pytest.fixture
def model(run: Run, boxes: Path) -> str:
    """A model of them."""
    run("train", "--ham", "ham.mbox", "--spam", "spam", "-o", "mail.candide")
    return "mail.candide"


def verdict(message: bytes) -> str:
    return str(message_from_bytes(message, policy=policy.default)["X-Candide"])


CODE_OF = {0: b"spam", 1: b"ham", 2: b"unsure"}


def run_any(run: Run, *words: Any) -> Any:
    """Filter a message, whatever it is."""
    model, message = words
    for code in CODE_OF:
        try:
            return run("filter", model, stdin=message, code=code)
        except AssertionError:
            continue
    raise AssertionError("no exit code of a filter")


def probability(message: bytes) -> float:
    return float(verdict(message).split("p=")[1].split(";")[0])


# ---------------------------------------------------------------- learning from mail


def test_training_counts_the_messages_of_both(plain: Callable[..., Any], boxes: Path) -> None:
    said = plain("train", "--ham", "ham.mbox", "--spam", "spam", "--spam", "ham.mbox")
    assert said["model"] == "ham.candide"
    assert said["classes"] == [{"label": "ham", "rows": 40}, {"label": "spam", "rows": 80}]
    assert [(one["column"], one["kind"]) for one in said["columns"]] == [("text", "text")]


def test_a_folder_a_class(plain: Callable[..., Any], boxes: Path) -> None:
    for name, texts in (("good", GOOD), ("bad", BAD)):
        for i, text in enumerate(texts):
            path = boxes / "texts" / name / f"{i}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    said = plain("train", "texts/")
    assert said["model"] == "texts.candide"
    assert [one["label"] for one in said["classes"]] == ["bad", "good"]
    assert plain("evaluate", "texts.candide", "texts")["rows"] == 8


def test_predicting_a_mailbox(run: Run, model: str) -> None:
    said = run("predict", model, "ham.mbox", "--keep", "document").stdout.splitlines()
    assert said[0] == "document,prediction,probability"
    assert said[1].startswith("ham.mbox:1,ham,0.9")
    assert len(said) == 41


def test_standard_input(run: Run, model: str, boxes: Path) -> None:
    box = Path("ham.mbox").read_bytes()
    said = run("predict", model, "-", "--format", "mbox", "--keep", "document", stdin=box).stdout.splitlines()
    assert said[40].startswith("standard input:40,ham,")
    assert "40 rows added" in run("update", model, "--spam", "-", stdin=box).stdout


def test_explaining_a_message(run: Run, model: str) -> None:
    assert "text" in run("explain", model, "--data", "spam", "--row", 3).stdout


def test_evaluating_and_cross_validating(plain: Callable[..., Any], model: str) -> None:
    assert plain("evaluate", model, "--ham", "ham.mbox", "--spam", "spam")["accuracy"] == 1.0
    assert plain("evaluate", "--ham", "ham.mbox", "--spam", "spam", "--folds", "3")


def test_a_mistake_is_corrected(run: Run, plain: Callable[..., Any], model: str, put: Put) -> None:
    put("wrong.eml", WIN)
    run("update", model, "--ham", "wrong.eml")
    fooled = probability(run_any(run, model, WIN).stdout_bytes)
    run("forget", model, "--ham", "wrong.eml")
    said = plain("update", model, "--spam", "wrong.eml")
    assert (said["changed_rows"], said["rows"]) == (1, 81)
    assert probability(run("filter", model, stdin=WIN).stdout_bytes) > fooled


def test_what_was_marked_is_forgotten_as_it_was_learnt(
    run: Run, plain: Callable[..., Any], model: str, put: Put
) -> None:
    put("new.eml", WIN)
    run("update", model, "--spam", "new.eml")
    marked = run("filter", model, stdin=WIN.replace(b"\n", b"\r\n")).stdout_bytes
    put("marked.eml", marked)
    assert plain("forget", model, "--spam", "marked.eml")["rows"] == 80


def test_tables_still_need_a_label(run: Run, table: str) -> None:
    assert "--label COLUMN" in run("train", table, code=2).stderr
    assert "give data" in run("train", code=2).stderr


# ---------------------------------------------------------------- filtering


def test_spam_and_ham_are_told_apart(run: Run, model: str) -> None:
    spam = run("filter", model, stdin=WIN)
    assert verdict(spam.stdout_bytes).startswith("spam; p=0.9")
    assert "words=" in verdict(spam.stdout_bytes)
    ham = run("filter", model, stdin=LUNCH, code=1)
    assert verdict(ham.stdout_bytes).startswith("ham; p=0.0")


@pytest.mark.parametrize(
    "message",
    [
        WIN,
        WIN.replace(b"\n", b"\r\n"),
        b"From a@b Mon\n" + WIN,
        WIN + bytes(range(256)) * 3 + b"\n\n\nX-Candide: in the body",
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n\xff\xfe\r\n--b--\r\r\n\0",
    ],
)
def test_nothing_changes_but_the_line(run: Run, model: str, message: bytes) -> None:
    done = run_any(run, model, message)
    out = done.stdout_bytes
    ends = b"\r\n" if message.split(b"\n")[0].endswith(b"\r") else b"\n"
    start = out.index(b"X-Candide: " + CODE_OF[done.exit_code])
    lines = out[start:].split(ends)
    taken = 1 + next(i for i, line in enumerate(lines[1:]) if not line.startswith(b" "))
    assert out[:start] + ends.join(lines[taken:]) == message


def test_forged_lines_go(run: Run, model: str) -> None:
    out = run("filter", model, stdin=b"X-Candide: ham;\n p=0.0000\n" + WIN).stdout_bytes
    assert out.count(b"X-Candide") == 1
    assert b"p=0.0000" not in out


def test_words_of_a_message_add_no_lines(run: Run, model: str, put: Put) -> None:
    put("odd.eml", "Subject: a\n\nBcc:\rall éé x,y;z \u2028X-Evil: 1\u0085yes\n" * 3)
    run("update", model, "--spam", "odd.eml")
    out = run_any(run, model, Path("odd.eml").read_bytes()).stdout_bytes
    head = out.split(b"\n\n")[0]
    assert head.isascii()
    assert message_from_bytes(out).keys() == ["X-Candide", "Subject"]


@pytest.mark.parametrize("message", [b"", b"\n", b"\0", b"no head"])
def test_hardly_messages(run: Run, model: str, message: bytes) -> None:
    out = run_any(run, model, message).stdout_bytes
    assert out.endswith(message)
    assert out.count(b"X-Candide") == 1


def test_limits_of_being_unsure(run: Run, model: str) -> None:
    odd = b"Subject: station\n\nwords that nobody knows\n"
    assert "unsure" in run("filter", model, "--spam-above", 1, "--ham-below", 0, "--dry", stdin=odd, code=2).stdout
    assert "spam" in run("filter", model, "--spam-above", 0, "--ham-below", 0, "--dry", stdin=odd).stdout
    assert "ham" in run("filter", model, "--spam-above", 1, "--ham-below", 1, "--dry", stdin=odd, code=1).stdout
    assert "spam" in run("filter", model, "--cost", 1e-9, "--dry", stdin=odd).stdout
    assert "ham" in run("filter", model, "--cost", 1e9, "--dry", stdin=odd, code=1).stdout


@pytest.mark.parametrize(
    "wrong",
    [
        ["--spam-above", ".1", "--ham-below", ".9"],
        ["--spam-above", "2"],
        ["--cost", "-1"],
        ["--cost", "9", "--spam-above", ".9"],
        ["--spam-class", "eggs"],
        ["--spam-above", "high"],
        ["--no-such-option"],
        ["another", "argument"],
    ],
)
def test_a_wrong_command_lets_mail_through(run: Run, model: str, wrong: list[str]) -> None:
    done = run("filter", model, *wrong, stdin=WIN, code=3)
    assert done.stdout_bytes.endswith(WIN)
    assert "error: " in done.stderr


def test_a_wrong_model_lets_mail_through(run: Run, boxes: Path, put: Put, table: str) -> None:
    run("train", table, "-l", "answer", "-o", "table.candide")
    for model in ("absent.candide", put("broken.candide", "x"), "table.candide", "spam"):
        done = run("filter", model, stdin=b"X-Candide: ham\n" + WIN, code=3)
        assert done.stdout_bytes == b"X-Candide: unsure; error\n" + WIN
        assert run("filter", model, "-e", stdin=WIN, code=3).stdout_bytes.endswith(WIN)


def test_quiet_and_dry(run: Run, model: str) -> None:
    assert run("filter", model, "-q", stdin=WIN).stdout_bytes == b""
    assert run("filter", model, "--dry", stdin=LUNCH, code=1).stdout.startswith("ham; p=0.0")
    assert run("filter", model, "--exit-zero", stdin=LUNCH).stdout_bytes.endswith(LUNCH)


def test_spam_by_another_name(run: Run, boxes: Path, put: Put) -> None:
    (boxes / "spam").rename(boxes / "junk")
    run("train", "ham.mbox", "junk", "-o", "mail.candide")
    assert "which of ham, junk" in run("filter", "mail.candide", stdin=WIN, code=3).stderr
    assert verdict(run("filter", "mail.candide", "--spam-class", "junk", stdin=WIN).stdout_bytes).startswith("spam")


def test_a_model_of_a_table_with_one_column_of_texts(run: Run, boxes: Path, put: Put) -> None:
    rows = [{"sms": text, "kind": kind} for kind, texts in (("ham", GOOD), ("spam", BAD)) for text in texts * 10]
    texts = [{**row, "sms": f"{row['sms']} number {i}"} for i, row in enumerate(rows)]
    put("sms.jsonl", "\n".join(map(json.dumps, texts)))
    run("train", "sms.jsonl", "--label", "kind", "-o", "sms.candide")
    assert run("filter", "sms.candide", "--dry", stdin=WIN).stdout.startswith("spam")
    assert "accuracy" in run("evaluate", "sms.candide", "--ham", "ham.mbox").stdout


def test_the_command_in_a_pipe(model: str, here: Path) -> None:
    pipe = process("filter", model, cwd=here)
    out, err = pipe.communicate(LUNCH, timeout=120)
    assert (pipe.returncode, err) == (1, b"")
    assert out.endswith(LUNCH)
    if not Path("/dev/full").exists():
        return
    with open("/dev/full", "wb") as full:
        pipe = process("filter", model, cwd=here, stdout=full, stdin=subprocess.PIPE)
        _, err = pipe.communicate(LUNCH, timeout=120)
    assert pipe.returncode == 3
    assert b"Traceback" not in err
