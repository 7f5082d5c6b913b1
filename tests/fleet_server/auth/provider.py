"""An OpenID provider on this machine: real discovery, keys, codes and signatures; it can be made to lie."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey


class OpenId:
    """`claims` go into every token; `header`, `key`: what it is signed with."""

    def __init__(self, client: str = "edgefleet", secret: str = "s3cret") -> None:
        self.client, self.secret = client, secret
        self.key = RSAKey.generate_key(2048, parameters={"kid": "k1", "use": "sig"})
        self.published = [self.key]
        self.claims: dict[str, Any] = {"sub": "1", "preferred_username": "Ann.Lee", "groups": ["ops", "choir"]}
        self.header: dict[str, Any] = {"alg": "RS256", "kid": "k1"}
        self.signing: Any = self.key
        self.forged = ""
        self.codes: dict[str, dict[str, str]] = {}
        self.key_requests = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.issuer = f"http://127.0.0.1:{self._server.server_port}/realm"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def authorize(self, url: str) -> str:
        """Sign a user in; returns the redirect URL of the browser."""
        parameters = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert url.startswith(f"{self.issuer}/authorize?")
        assert (parameters["client_id"], parameters["response_type"], parameters["code_challenge_method"]) == (
            self.client,
            "code",
            "S256",
        )
        code = secrets.token_urlsafe(16)
        self.codes[code] = parameters
        return f"{parameters['redirect_uri']}?state={parameters['state']}&code={code}"

    def token(self, nonce: str) -> str:
        if self.forged:
            return self.forged
        now = int(time.time())
        base = {"iss": self.issuer, "aud": self.client, "iat": now, "exp": now + 300, "nonce": nonce}
        claims = {name: value for name, value in {**base, **self.claims}.items() if value is not None}
        if self.header["alg"] == "none":
            parts = [json.dumps(self.header), json.dumps(claims)]
            return ".".join(base64.urlsafe_b64encode(part.encode()).rstrip(b"=").decode() for part in parts) + "."
        return jwt.encode(self.header, claims, self.signing, algorithms=[self.header["alg"]])

    def exchange(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        parameters = self.codes.pop(form.get("code", ""), None)
        verifier = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
        basic = base64.b64encode(f"{self.client}:{self.secret}".encode()).decode()
        if (
            parameters is None
            or verifier != parameters["code_challenge"]
            or form.get("redirect_uri") != parameters["redirect_uri"]
        ):
            return 400, {"error": "invalid_grant"}
        if authorization != f"Basic {basic}":
            return 401, {"error": "invalid_client"}
        return 200, {"access_token": "a", "token_type": "Bearer", "id_token": self.token(parameters["nonce"])}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/realm/.well-known/openid-configuration":
                    names = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
                    about = {name: f"{provider.issuer}/{path}" for name, path in names.items()}
                    self._say(200, {"issuer": provider.issuer, **about})
                elif self.path == "/realm/keys":
                    provider.key_requests += 1
                    self._say(200, KeySet(provider.published).as_dict(private=False))
                else:
                    self._say(404, {})

            def do_POST(self) -> None:
                form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                flat = {name: values[0] for name, values in form.items()}
                self._say(*provider.exchange(flat, self.headers.get("Authorization", "")))

            def _say(self, status: int, body: Any) -> None:
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                """Quiet."""

        return Handler
