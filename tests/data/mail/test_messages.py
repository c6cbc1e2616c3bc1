"""Messages of every kind become texts, and none fails."""

from __future__ import annotations

import base64
import random
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.data.mail import as_text
from candide.text.analyzer import Analyzer

PIECES = [
    *(b"Content-Type: ", b"multipart/mixed", b"; boundary=b", b"\n", b"\n\n", b"--b", b"--b--", b"text/html", b"<a "),
    *(b"charset=", b"=?utf-8?q?=", b"?=", b"Subject:", b"From ", b"base64", b"message/rfc822", b"Content-Transfer-"),
    *(b"Encoding: ", b"filename*0*=", b"'", b'"', b"<!--", b"&#x", b"\0", b"\xff", b"\r", b"=3D", b" "),
]


def words(message: bytes) -> set[str]:
    return set(Analyzer().words(as_text(message)))


def mail(**fields: str) -> EmailMessage:
    message = EmailMessage()
    for name, value in fields.items():
        message[name.replace("_", "-")] = value
    return message


def test_fields_become_words_of_their_own() -> None:
    message = mail(
        Subject="Free café!",
        From="Bob Ross <bob@mail.example.com>",
        To="me@home.org",
        Reply_To="x@trap.biz",
        X_Mailer="Blaster 3",
        Received="from evil.example.net (unknown [10.20.30.40]) by here.org",
    )
    message.set_content("hello")
    found = words(message.as_bytes())
    assert {"subject_free", "subject_café", "from_bob", "from_mail_example_com", "from_example_com"} <= found
    assert {"to_me", "to_home_org", "reply_trap_biz", "mailer_blaster", "via_example_net", "via_10_20_30"} <= found
    assert {"hello", "without_date", "without_message_id"} <= found
    assert not {"free", "without_from", "without_subject"} & found


def test_all_words_stay_whole_for_the_analyzer() -> None:
    message = mail(Subject="a-b c", From="o'neil+x@ex-ample.co.uk", Received="from a-1.ex.com ([1.2.3.4])")
    message.add_attachment(b"x", maintype="application", subtype="x-msdos-program", filename="Bill (1).pdf.EXE")
    found = words(message.as_bytes())
    assert {"from_ex_ample_co_uk", "file_exe", "file_bill", "part_application_x_msdos_program"} <= found


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable", "8bit"])
@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "windows-1252"])
def test_bodies_are_decoded(encoding: str, charset: str) -> None:
    message = EmailMessage()
    message.set_content("Très déjà\n" * 5, charset=charset, cte=encoding)
    assert {"très", "déjà"} <= words(message.as_bytes())


@pytest.mark.parametrize("charset", ["no-such", "us-ascii", "utf-8", "hex", "idna", "unicode_escape", "x\0y", '"', "é"])
def test_charsets_that_are_wrong_or_unknown(charset: str) -> None:
    head = f"Content-Type: text/plain; charset={charset}\n\n".encode()
    assert "déjà" in words(head + "déjà".encode("latin-1"))
    if charset != "utf-8":
        assert "déjà" in words(head + "déjà".encode())


def test_chinese_of_a_wider_charset_than_declared() -> None:
    body = "镕基你好".encode("gb18030")
    assert "镕基你好" in as_text(b"Content-Type: text/plain; charset=gb2312\n\n" + body)


def test_html_is_read_as_its_reader_sees_it() -> None:
    message = EmailMessage()
    message.set_content("plain words")
    message.add_alternative(
        "<style>p {color: red}</style><p>V<b>i</b>a<!-- x -->gra</p><script>evil()</script>"
        '<td>one</td><td>two&nbsp;caf&eacute;</td><a href="https://user@Shop.Example.com:80/x">click</a>',
        subtype="html",
    )
    found = words(message.as_bytes())
    assert {"plain", "viagra", "one", "two", "café", "click", "url_shop_example_com", "url_example_com"} <= found
    assert {"tag_style", "part_text_html", "type_multipart_alternative"} <= found
    assert not {"color", "evil", "href", "onetwo"} & found


def test_attachments_are_named_but_not_read() -> None:
    message = EmailMessage()
    message.set_content("see below")
    message.add_attachment(b"MZ secret", maintype="application", subtype="octet-stream", filename="Rechnung März.exe")
    found = words(message.as_bytes())
    assert {"see", "file_exe", "file_rechnung", "file_märz", "part_application_octet_stream"} <= found
    assert "secret" not in found


def test_messages_within_messages() -> None:
    inner = mail(Subject="inner subject", From="spammer@example.com")
    inner.set_content("inner body")
    outer = mail(Subject="look")
    outer.set_content("outer body")
    outer.add_attachment(inner)
    found = words(outer.as_bytes())
    assert {"outer", "inner", "subject", "part_message_rfc822", "spammer"} <= found
    assert "subject_inner" not in found


def test_marks_of_mailboxes_and_filters_are_no_evidence() -> None:
    text = as_text(b"X-Candide: ham; p=0.1\nX-Spam-Status: No\nStatus: RO\nX-Bogosity: Ham\nSubject: hi\n\nbody")
    assert text == as_text(b"Subject: hi\n\nbody")


@pytest.mark.parametrize("depth", [10, 100, 3000])
def test_parts_within_parts(depth: int) -> None:
    head = "".join(f"Content-Type: multipart/mixed; boundary=b{i}\n\nshallow{i}\n--b{i}\n" for i in range(depth))
    text = as_text((head + "\ndeepest").encode())
    assert ("deepest" in text.split()) or depth > 10


def test_nested_by_the_email_package() -> None:
    inner: MIMEMultipart | MIMEText = MIMEText("deep inside")
    for _ in range(100):
        outer = MIMEMultipart()
        outer.attach(inner)
        inner = outer
    assert "part_multipart_mixed" in as_text(inner.as_bytes()).split()


@pytest.mark.parametrize("encoding", ["7bit", "base64", "quoted-printable"])
def test_large_parts_are_bounded(encoding: str) -> None:
    head = f"Content-Type: text/html\nContent-Transfer-Encoding: {encoding}\n\n".encode()
    body = b"viagra now " * (50_000_000 // 11)
    text = as_text(head + (base64.b64encode(body) if encoding == "base64" else body))
    assert "viagra" in text
    assert len(text) < 1 << 20


def test_many_parts_are_bounded() -> None:
    text = as_text(b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nword\n" * 500_000)
    assert 100 < text.count("word") < 1000


@pytest.mark.parametrize(
    "filling", ["<a", "<!--", "<script>", "&#x", '<a x="', "=?utf-8?q?", "a-", "http://a@", "--b\n", " "]
)
def test_nothing_takes_long(filling: str) -> None:
    long = filling * (1 << 17)  # quadratic growth would need hours
    heads = ("Content-Type: text/html\n\n", "Content-Type: multipart/mixed; boundary=b\n\n", "Received: ", "Subject: ")
    assert all(len(as_text((head + long).encode())) < 1 << 20 for head in heads)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\n",
        b"\r\n\r\n",
        b"\0\0",
        b"no head at all",
        b":\n:\n\n",
        b"Subject",
        b"Content-Type: multipart/mixed\n\nno boundary",
        b"Content-Type: multipart/mixed; boundary=\n\n--\n\n",
        b'Content-Type: multipart/mixed; boundary="a"\n\n--a\nbroken head\n--a',
        b"Content-Type: text/plain; charset*0*=utf-8'%zz;  name*=''%\n\nbody",
        b"Content-Disposition: attachment; filename*1*=x; filename*=y\n\nbody",
        b"Content-Transfer-Encoding: base64\n\n=!=a",
        b"Subject: =?utf-8?b?A?= =?x?q?=?=\n\n",
        b"Content-Type: text/plain; charset=utf-7\n\n+2AA-",
        "Content-Type: multipart/mixed; boundary=é\n\n--é\n\nb".encode(),
    ],
)
def test_broken_messages_have_texts(message: bytes) -> None:
    text = as_text(message)
    assert text.encode().decode() == text
    assert "\0" not in text


def test_a_message_has_one_text_wherever_it_lies() -> None:
    message = mail(Subject="x")
    message.set_content("one\n\ntwo\n")
    whole = message.as_bytes()
    for same in (whole + b"\n\n", whole.replace(b"\n", b"\r\n"), b"From a Mon\n" + whole, b"X-Candide: ham\n" + whole):
        assert as_text(same) == as_text(whole)


def test_words_between_which_nuls_stand() -> None:
    assert "viagra" in words(b"Subject: x\n\nV\0i\0a\0g\0r\0a")


@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_every_heap_of_bytes_has_a_text(pieces: list[bytes]) -> None:
    text = as_text(b"".join(pieces))
    assert text.encode().decode() == text


def test_messages_with_bytes_changed_have_texts() -> None:
    message = mail(Subject="Grüße", From="a@example.com")
    message.set_content("hello")
    message.add_alternative("<p>hello</p>", subtype="html")
    message.add_attachment(b"1234", maintype="image", subtype="png", filename="é.png")
    whole = message.as_bytes()
    draw = random.Random(3)
    for _ in range(300):
        broken = bytearray(whole)
        for _ in range(draw.randrange(1, 30)):
            broken[draw.randrange(len(broken))] = draw.randrange(256)
        as_text(bytes(broken)).encode()
