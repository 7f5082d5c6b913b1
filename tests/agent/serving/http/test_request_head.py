"""Requests that RFC 9112 refuses, and what two parsers on the way may read differently (request smuggling), byte by byte.

CL: Content-Length, TE: Transfer-Encoding; `CL.TE` is a request whose framing one parser takes from the first and another from the
second. No case may be answered as anything but one request, or leave bytes that are read as a second one.
"""

from __future__ import annotations

import contextlib
import re
import socket

import pytest

from tests.agent.serving.conftest import Api

POST = b"POST /v2/repository/index HTTP/1.1\r\nHost: localhost\r\n"
GET = b"GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
SECOND = b"GET /v2/models/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
STATUS = re.compile(rb"HTTP/1\.1 \d{3} ")
LAST = b"0\r\n\r\n"

REFUSED: dict[str, tuple[bytes, int]] = {
    # Framing: 6.1 to 6.3.
    "CL.TE": (POST + b"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n" + LAST + b"G", 400),
    "TE.CL": (POST + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n" + SECOND + LAST, 400),
    "TE.TE, two fields": (POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + LAST, 400),
    "TE.TE, the same twice": (POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + LAST, 400),
    "TE.TE, in one field": (POST + b"Transfer-Encoding: chunked, identity\r\n\r\n" + LAST, 400),
    "TE with VT": (POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n" + LAST, 400),
    "TE with FF": (POST + b"Transfer-Encoding: chunked\x0c\r\n\r\n" + LAST, 400),
    "TE with NUL": (POST + b"Transfer-Encoding: chunked\0\r\n\r\n" + LAST, 400),
    "TE with a bare CR": (POST + b"Transfer-Encoding: chunked\r\r\n\r\n" + LAST, 400),
    "TE after a space": (POST + b"Transfer-Encoding : chunked\r\n\r\n" + LAST, 400),
    "TE folded": (POST + b"Transfer-Encoding:\r\n chunked\r\n\r\n" + LAST, 400),
    "TE in quotes": (POST + b'Transfer-Encoding: "chunked"\r\n\r\n' + LAST, 501),
    "TE unknown": (POST + b"Transfer-Encoding: xchunked\r\n\r\n" + LAST, 501),
    "TE of two codings": (POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + LAST, 501),
    "TE empty": (POST + b"Transfer-Encoding:\r\n\r\n" + LAST, 400),
    "TE in HTTP/1.0": (CHUNKED.replace(b"HTTP/1.1", b"HTTP/1.0") + LAST, 400),
    "CL twice": (POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
    "CL twice alike": (POST + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", 400),
    "CL a list": (POST + b"Content-Length: 2, 2\r\n\r\n{}", 400),
    "CL with a sign": (POST + b"Content-Length: +2\r\n\r\n{}", 400),
    "CL negative": (POST + b"Content-Length: -2\r\n\r\n{}", 400),
    "CL hexadecimal": (POST + b"Content-Length: 0x2\r\n\r\n{}", 400),
    "CL with VT": (POST + b"Content-Length: \x0b2\r\n\r\n{}", 400),
    "CL with FF": (POST + b"Content-Length: 2\x0c\r\n\r\n{}", 400),
    "CL empty": (POST + b"Content-Length:\r\n\r\n{}", 400),
    "CL with an underscore": (POST + b"Content-Length: 1_0\r\n\r\n{}", 400),
    "CL beyond any number": (POST + b"Content-Length: 99999999999999999999999\r\n\r\n{}", 400),
    "CL larger than allowed": (POST + b"Content-Length: 999999999999\r\n\r\n{}", 413),
    # Chunks: 7.1.
    "chunk size with a sign": (CHUNKED + b"+2\r\n{}\r\n" + LAST, 400),
    "chunk size 0x2": (CHUNKED + b"0x2\r\n{}\r\n" + LAST, 400),
    "chunk size after a space": (CHUNKED + b" 2\r\n{}\r\n" + LAST, 400),
    "chunk size with VT": (CHUNKED + b"2\x0b\r\n{}\r\n" + LAST, 400),
    "chunk size too long": (CHUNKED + b"000000002\r\n{}\r\n" + LAST, 400),
    "chunk size empty": (CHUNKED + b"\r\n{}\r\n" + LAST, 400),
    "chunk size ends with LF": (CHUNKED + b"2\n{}\r\n" + LAST, 400),
    "chunk size ends with CR": (CHUNKED + b"2\r{}\r\n" + LAST, 400),
    "chunk longer than its size": (CHUNKED + b"1\r\n{}\r\n" + LAST, 400),
    "chunk extension with a bare CR": (CHUNKED + b"2;a\rb\r\n{}\r\n" + LAST, 400),
    "chunk extension with LF": (CHUNKED + b"2;a\nb\r\n{}\r\n" + LAST, 400),
    "chunk extension with NUL": (CHUNKED + b"2;a\0b\r\n{}\r\n" + LAST, 400),
    "chunk extension without end": (CHUNKED + b"2;" + b"a" * 1000, 400),
    "trailer without a name": (CHUNKED + b"2\r\n{}\r\n0\r\nno field\r\n\r\n", 400),
    "trailer with a bare CR": (CHUNKED + b"2\r\n{}\r\n0\r\nX: a\rb\r\n\r\n", 400),
    # Fields: 2.2, 5.
    "bare CR in a value": (GET + b"X: a\rb\r\n\r\n", 400),
    "NUL in a value": (GET + b"X: a\0b\r\n\r\n", 400),
    "DEL in a value": (GET + b"X: a\x7fb\r\n\r\n", 400),
    "LF ends a field": (GET + b"X: a\nTransfer-Encoding: chunked\r\n\r\n", 400),
    "folded field": (GET + b"X: a\r\n b\r\n\r\n", 400),
    "folded first field": (b"GET /v2 HTTP/1.1\r\n Host: localhost\r\n\r\n", 400),
    "space before the colon": (GET + b"X : a\r\n\r\n", 400),
    "empty name": (GET + b": a\r\n\r\n", 400),
    "no colon": (GET + b"X\r\n\r\n", 400),
    "name that is no token": (GET + b"X(a): b\r\n\r\n", 400),
    "CR before the colon": (GET + b"X\r: a\r\n\r\n", 400),
    # Host: 3.2.
    "no Host": (b"GET /v2 HTTP/1.1\r\n\r\n", 400),
    "Host twice": (GET + b"Host: localhost\r\n\r\n", 400),
    "Host with a path": (b"GET /v2 HTTP/1.1\r\nHost: localhost/x\r\n\r\n", 400),
    "Host with a user": (b"GET /v2 HTTP/1.1\r\nHost: user@localhost\r\n\r\n", 400),
    "Host a list": (b"GET /v2 HTTP/1.1\r\nHost: localhost, other\r\n\r\n", 400),
    "Host with a bad port": (b"GET /v2 HTTP/1.1\r\nHost: localhost:x\r\n\r\n", 400),
    # Request line: 3.
    "no version": (b"GET /v2\r\n\r\n", 400),
    "HTTP/2.0": (b"GET /v2 HTTP/2.0\r\nHost: localhost\r\n\r\n", 400),
    "HTTP/1.2": (b"GET /v2 HTTP/1.2\r\nHost: localhost\r\n\r\n", 400),
    "http/1.1": (b"GET /v2 http/1.1\r\nHost: localhost\r\n\r\n", 400),
    "TAB for SP": (b"GET\t/v2 HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
    "SP in the target": (b"GET /v2 /x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "NUL in the target": (b"GET /v2\0 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "fragment": (b"GET /v2#x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "relative target": (b"GET v2 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "CONNECT": (b"CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "unknown method": (b"SMUGGLE /v2 HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
    "absolute target without a host": (b"GET http:///v2 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    "head too long": (GET + b"X: " + b"a" * 20_000 + b"\r\n\r\n", 431),
    "HTTP/2 preface": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
}
ANSWERED: dict[str, tuple[bytes, int]] = {
    "plain": (POST + b"Content-Length: 2\r\n\r\n{}", 200),
    "spaces and tabs around a value": (POST + b"Content-Length: \t 2 \t\r\n\r\n{}", 200),
    "leading zeros": (POST + b"Content-Length: 002\r\n\r\n{}", 200),
    "no body": (POST + b"\r\n", 200),
    "chunks": (CHUNKED + b"1\r\n{\r\n1\r\n}\r\n" + LAST, 200),
    "chunks in capitals": (POST + b"Transfer-Encoding: CHUNKED\r\n\r\n2\r\n{}\r\n" + LAST, 200),
    "chunk extensions": (CHUNKED + b'2;a=b;c="d e"\r\n{}\r\n0 ;x\r\n\r\n', 200),
    "trailers": (CHUNKED + b"2\r\n{}\r\n0\r\nX: a\r\nY:\r\n\r\n", 200),
    "empty lines before": (b"\r\n\r\n" + GET + b"\r\n", 200),
    "bytes beyond ASCII in a value": (GET + b"X: \xc3\xa9\r\n\r\n", 200),
    "absolute target": (b"GET http://127.0.0.1:8000/v2/health/live HTTP/1.1\r\nHost: other\r\n\r\n", 200),
    "absolute target without a path": (b"GET http://127.0.0.1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
    "OPTIONS *": (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    "upgrade that is not offered": (
        GET + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n",
        200,
    ),
    "HTTP/1.0 without Host": (b"GET /v2/health/live HTTP/1.0\r\n\r\n", 200),
    "known method": (b"DELETE /v2 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
}


def talk(api: Api, data: bytes) -> bytes:
    """Send bytes, and return all answers."""
    host, _, port = api.http.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: line.recv(65536), b""))


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_ends_the_connection(api: Api, name: str) -> None:
    data, status = REFUSED[name]
    answer = talk(api, data + SECOND)
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer
    assert len(STATUS.findall(answer)) == 1
    assert b"\r\nConnection: close\r\n" in answer


@pytest.mark.parametrize("name", ANSWERED)
def test_what_is_right_is_answered_and_the_next_request_too(api: Api, name: str) -> None:
    data, status = ANSWERED[name]
    host, _, port = api.http.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(data + GET + b"Connection: close\r\n\r\n")
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer
    assert len(STATUS.findall(answer)) == (1 if b"HTTP/1.0" in data else 2)
    assert b"smuggled" not in answer


@pytest.mark.parametrize("name", [*ANSWERED, *REFUSED])
def test_single_bytes_are_the_same_request(api: Api, name: str) -> None:
    """No state of the parser gets lost between two reads."""
    data, status = (ANSWERED | REFUSED)[name]
    host, _, port = api.http.rpartition(":")
    answer = b""
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with contextlib.suppress(ConnectionError):  # refused before the last byte was sent
            line.sendall(data[:-200])
            for byte in data[-200:]:
                line.sendall(bytes((byte,)))
        with contextlib.suppress(ConnectionError):
            while not STATUS.match(answer):
                received = line.recv(65536)
                if not received:
                    break
                answer += received
    assert not answer or answer.startswith(b"HTTP/1.1 %d " % status)
    assert answer or name in REFUSED
