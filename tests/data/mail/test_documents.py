"""Mail and texts from files and folders."""

from __future__ import annotations

import gzip
import io
import os
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.data.mail import Documents, as_text
from candide.data.mail.mbox import messages
from candide.data.mail.places import are_documents
from candide.errors import BadFile, NoSuchFile

FROM = b"From bob@example.com  Thu Aug 22 12:36:23 2002\n"


def mail(word: str) -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"] = word, "bob@example.com"
    message.set_content(f"all about {word}\n")
    return message.as_bytes()


def read(*paths: object, **options: Any) -> list[tuple[Any, ...]]:
    with Documents.open([str(path) for path in paths], **options) as documents:
        return [tuple(row.values()) for batch in documents.batches() for row in batch.to_pylist()]


def put(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


# ---------------------------------------------------------------- mailboxes


def test_an_mbox_is_messages_of_the_class_it_is_named_for(tmp_path: Path) -> None:
    path = put(tmp_path / "ham.mbox", FROM + mail("one") + b"\n" + FROM + mail("two") + b"\n")
    assert read(path) == [(as_text(mail("one")), "ham"), (as_text(mail("two")), "ham")]


def test_from_lines_in_bodies(tmp_path: Path) -> None:
    body = (
        b"Dear all,\n\nFrom now on all is new.\n\n>From Bob Thu Aug 22 12:36:23 2002\nFrom x Thu Aug 22 12:36:23 2002\n"
    )
    data = FROM + b"Subject: x\n\n" + body + b"\n" + FROM + b"Subject: y\n\nend\n"
    found = read(put(tmp_path / "box", data))
    assert len(found) == 2
    assert "From now on all is new.\n\nFrom Bob Thu" in found[0][0]


@given(
    st.lists(st.lists(st.sampled_from([b"a", b"\n", b"\n\n", b">From ", b"From ", b"\r\n", b"x" * 70_000]), max_size=9))
)
def test_no_byte_of_a_mailbox_is_lost(bodies: list[list[bytes]]) -> None:
    mails = [b"Subject: s\n\n" + b"".join(body) + b"\n\n" for body in bodies]
    file = io.BytesIO(b"".join(FROM + one for one in mails))
    found = list(messages(file, 1 << 20))
    assert [size - len(FROM) for _, size in found] == list(map(len, mails))
    assert all(b">From" in one or message == one for (message, _), one in zip(found, mails, strict=True))


def test_messages_beyond_all_bounds_are_cut(tmp_path: Path) -> None:
    file = io.BytesIO(FROM + b"Subject: x\n\n" + b"x" * 5_000_000 + b"\n\n" + FROM + mail("two"))
    (one, size), (two, _) = messages(file, 1 << 17)
    assert len(one) < 1 << 18
    assert size > 5_000_000
    assert two == mail("two")


def test_packed_mailboxes(tmp_path: Path) -> None:
    path = put(tmp_path / "spam.mbox.gz", gzip.compress(FROM + mail("one")))
    assert read(path) == [(as_text(mail("one")), "spam")]


def test_an_empty_mailbox_has_no_messages(tmp_path: Path) -> None:
    assert read(put(tmp_path / "ham.mbox", b"")) == []


def test_maildir(tmp_path: Path) -> None:
    for name, word in (("new/2", "two"), ("cur/1:2,S", "one"), ("tmp/3", "three"), (".Trash/cur/4", "four")):
        put(tmp_path / "Mail" / name, mail(word))
    found = read(tmp_path / "Mail")
    assert found == [(as_text(mail("two")), "Mail"), (as_text(mail("one")), "Mail")]


# ---------------------------------------------------------------- folders and files


def test_a_folder_a_class(tmp_path: Path) -> None:
    put(tmp_path / "pos" / "b.txt", "schön".encode())
    put(tmp_path / "pos" / "a.txt", b"fine")
    put(tmp_path / "pos" / "deeper" / "c", b"")
    put(tmp_path / "neg" / "mail", mail("bad"))
    put(tmp_path / "neg" / ".hidden", b"x")
    put(tmp_path / "README", b"about")
    assert read(tmp_path) == [(as_text(mail("bad")), "neg"), ("fine", "pos"), ("schön", "pos"), ("", "pos")]


def test_a_folder_of_documents_and_one_of_mailboxes(tmp_path: Path) -> None:
    put(tmp_path / "easy" / "1.eml", mail("one"))
    assert read(tmp_path / "easy") == [(as_text(mail("one")), "easy")]
    put(tmp_path / "boxes" / "ham.mbox", FROM + mail("one"))
    put(tmp_path / "boxes" / "spam.mbox", FROM + mail("two"))
    assert [label for _, label in read(tmp_path / "boxes")] == ["ham", "spam"]


def test_labels_that_are_given(tmp_path: Path) -> None:
    put(tmp_path / "a" / "x" / "1", mail("one"))
    put(tmp_path / "b.mbox", FROM + mail("two"))
    found = read(labelled={"ham": [str(tmp_path / "a")], "spam": [str(tmp_path / "b.mbox")]})
    assert [label for _, label in found] == ["ham", "spam"]


def test_a_document_a_line(tmp_path: Path) -> None:
    path = put(tmp_path / "joy.txt", b"\xef\xbb\xbfone text\r\n\n  \nanother\x00 one")
    assert read(path, format="lines") == [("one text", "joy"), ("another one", "joy")]
    assert read(path, format="text")[0][0].startswith("one text\r\n")


def test_utf_16_lines(tmp_path: Path) -> None:
    path = put(tmp_path / "joy.txt", "eins\nzwei Ċ drei\n".encode("utf-16"))
    assert [text for text, _ in read(path, format="lines", encoding="utf-16")] == ["eins", "zwei Ċ drei"]


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/caf\xe9"
    try:
        os.mkdir(folder)
    except OSError:
        pytest.skip("this file system knows no such names")
    with open(folder + b"/\xff.txt", "wb") as file:
        file.write(b"text")
    put(tmp_path / "tea" / "1.txt", b"other")
    assert read(tmp_path, columns=("text", "label", "document"))[0][:2] == ("text", "caf�")


def test_order_is_that_of_names_as_bytes(tmp_path: Path) -> None:
    for name in ("b", "B", "a10", "a2", "é", "z"):
        put(tmp_path / "all" / name, name.encode())
    assert [text for text, _ in read(tmp_path / "all", format="text")] == ["B", "a10", "a2", "b", "z", "é"]


# ---------------------------------------------------------------- batches, and what cannot be read


def test_columns_and_batches(tmp_path: Path) -> None:
    path = put(tmp_path / "ham.mbox", b"".join(FROM + mail(str(i)) + b"\n" for i in range(10)))
    with Documents.open(str(path), columns=("words", "class", "document")) as documents:
        assert documents.schema == pa.schema(
            [("words", pa.large_string()), ("class", pa.string()), ("document", pa.string())]
        )
        assert documents.texts == ("words",)
        for _ in range(2):
            batches = list(documents.batches(4))
            assert [batch.num_rows for batch in batches] == [4, 4, 2]
            assert documents.done == 1.0
        assert batches[2]["document"].to_pylist() == [f"{path}:9", f"{path}:10"]
        assert documents.bytes == path.stat().st_size
    with pytest.raises(BadFile, match="closed"):
        next(documents.batches())


def test_batches_hold_no_more_than_some_megabytes(tmp_path: Path) -> None:
    path = put(tmp_path / "long.txt", b"\n".join([b"word " * 800_000] * 9))
    with Documents.open(str(path), format="lines") as documents:
        assert [batch.num_rows for batch in documents.batches()] == [5, 4]


def test_texts_that_are_not_utf_8_say_where(tmp_path: Path) -> None:
    path = put(tmp_path / "texts.txt", b"fine\nnot\xe9 fine\nfine again\n")
    with pytest.raises(BadFile, match=r"texts\.txt, line 2, byte 4: not utf-8: e9 .*--encoding latin-1.*skip"):
        read(path, format="lines")
    with pytest.raises(BadFile, match=r"texts\.txt, line 2, byte 4: "):
        read(path, format="text")
    assert [text for text, _ in read(path, format="lines", encoding="latin-1")][1] == "noté fine"
    assert [text for text, _ in read(path, format="lines", encoding="utf-8:replace")][1] == "not� fine"
    with Documents.open(str(path), format="lines", skip_bad_rows=True) as documents:
        assert sum(batch.num_rows for batch in documents.batches()) == 2
        assert documents.bad_rows == 1
        assert "line 2, byte 4" in str(documents.first_bad)


def test_a_packed_file_that_was_cut_short(tmp_path: Path) -> None:
    path = put(tmp_path / "ham.mbox.gz", gzip.compress(FROM + os.urandom(5000))[:-2000])
    with pytest.raises(BadFile, match="cannot be read"):
        read(path)


def test_what_is_not_there(tmp_path: Path) -> None:
    put(tmp_path / "ham.mbox", b"")
    with pytest.raises(NoSuchFile, match=r"ham\.mbox"):
        read(tmp_path / "ham.mbx")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NoSuchFile, match="nothing to read"):
        read(tmp_path / "empty")
    with pytest.raises(BadFile, match="encoding"):
        read(tmp_path / "ham.mbox", encoding="klingon")
    with pytest.raises(BadFile, match="format"):
        read(tmp_path / "ham.mbox", format="csv")


def test_which_paths_are_documents(tmp_path: Path) -> None:
    box, plain = put(tmp_path / "Inbox", FROM + mail("x")), put(tmp_path / "x.csv", b"a,b\n1,2\n")
    assert are_documents([str(tmp_path), str(box)], None)
    assert are_documents([str(plain)], "lines")
    assert not are_documents([str(plain)], None)
    assert not are_documents([str(box)], "csv")
    assert not are_documents(["-"], None)
    assert are_documents(["-"], "mbox")
