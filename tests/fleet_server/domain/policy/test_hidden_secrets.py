"""Secrets in texts that are stored for ever: hidden, whatever form they have; other texts stay."""

from __future__ import annotations

import json

import pytest

from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.policy.hidden_secrets import HIDDEN, masked_url, text_without_secrets, unmasked_url

SECRET = "Sup3rS3cret"


@pytest.mark.parametrize(
    "text",
    [
        f'uri = "rtsp://user:{SECRET}@127.0.0.1:8554/stream1"',
        f"rtsp://user:a@b/{SECRET}@cam/1",
        f"rtsp://user:{SECRET}{'x' * 5_000}@cam/1",
        f"https://hook/1?{'long-' * 20}token={SECRET}",
        f"password{' ' * 50}= {SECRET}",
        f'uri = "rtsp://user:x\\"{SECRET}@cam/1"',
        f"rtsp://user:my {SECRET}@cam/1",
        f"http://cam/1?user=a&password={SECRET}&x=1",
        f"https://hook/1?access_token={SECRET}",
        f'options = {{ user = "a", password = "{SECRET}" }}',
        f"password='{SECRET}'",
        f'password = """\n{SECRET}"""',
        f"smtp-password: {SECRET}",
        f'{{"api_key": "{SECRET}"}}',
        json.dumps({"text": f'[source]\nuri = "rtsp://u:{SECRET}@cam"\n'}),
        json.dumps({"smtp_url": f"smtps://u:{SECRET}@host"}),
        json.dumps({"rows": [{"client_secret": SECRET}, {"Authorization": f"Bearer {SECRET}"}]}),
        json.dumps({f"rtsp://u:{SECRET}@cam": 1}),
        json.dumps({"rule": {"webhooks": [{"url": f"https://hooks.example.org/services/{SECRET}"}]}}),
    ],
)
def test_a_secret_is_hidden(text: str) -> None:
    shown = text_without_secrets(text)
    assert SECRET not in shown
    assert HIDDEN.rstrip(")") in shown


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(
            {"text": '[source]\nkind = "rtsp"\nuri = "rtsp://cam/1"\ncredentials = "front"\n', "note": "see https://a/b?x=1"}
        ),
        json.dumps({"token_s": 3, "tokens": ["a"], "name": "password reset of line 3", "key": "site"}),
        "/devices/line-1/labels",
        "{not json",
    ],
)
def test_other_texts_stay(text: str) -> None:
    assert text_without_secrets(text) == text


@pytest.mark.parametrize("rest", [f"/{SECRET}", f"/a?k={SECRET}", f"?{SECRET}", f"#{SECRET}", f"/a/{SECRET}/", f":9/{SECRET}"])
def test_of_a_webhook_only_its_host_is_shown(rest: str) -> None:
    url = f"https://user:{SECRET}@hooks.example.org{rest}"
    shown = masked_url(url)
    assert SECRET not in shown
    assert shown.startswith(f"https://hooks.example.org{':9' if ':9' in rest else ''}/(hidden-")
    assert masked_url(shown) == shown
    assert unmasked_url(shown, ["https://hooks.example.org/other", url]) == url
    with pytest.raises(InputError, match="enter the whole address"):
        unmasked_url(shown, ["https://hooks.example.org/other"])


def test_what_is_no_secret_address_stays() -> None:
    for text in ("mailto:ops@example.org", "https://hooks.example.org", "http://[::1", "recipient 3"):
        assert masked_url(text) == text
    assert unmasked_url("https://new.example.org/x", []) == "https://new.example.org/x"


@pytest.mark.timeout(30)
@pytest.mark.parametrize("part", ["a_", "?a-", "://a:", "password ", 'password="', "password='''x", "token: "])
def test_no_text_takes_long(part: str) -> None:
    """A pattern that tried every end for every beginning took 85 s for the first of these."""
    text_without_secrets(part * 30_000)
