"""Who may look: this machine, or whoever has the token. What pages may do: nothing that generated text asks for."""

from __future__ import annotations

import hmac
import ipaddress
from hashlib import blake2b
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "openspade"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
NOT_ADMITTED = (
    "This dashboard asks for its token. Open the address that `openspade dashboard` printed, the one that ends in "
    "?token=..., or send the header `Authorization: Bearer TOKEN`."
)


class Guard:
    """Refuses strangers, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        await (self._refusal(scope) or self._app)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self._token and not is_loopback(_host_of(f"//{headers.get('host', '')}")):
            # Another site's name that was pointed at this machine (DNS rebinding).
            return PlainTextResponse("Open this dashboard as http://127.0.0.1.", status_code=421)
        if scope["method"] not in ("GET", "HEAD") and not _same_origin(headers):
            return PlainTextResponse("A form of another site may not act here.", status_code=403)
        if not self._token:
            return None
        return self._entrance(scope)

    def _entrance(self, scope: Scope) -> Response | None:
        asked = HTTPConnection(scope)
        if "token" in asked.query_params:
            if not _equal(asked.query_params["token"], self._token):
                return PlainTextResponse("That is not this dashboard's token.", status_code=401)
            # The token leaves the address bar: addresses are copied and logged.
            rest = QueryParams([(key, value) for key, value in asked.query_params.multi_items() if key != "token"])
            # An address that begins with two slashes would lead to another site.
            path = "/" + asked.url.path.lstrip("/\\")
            response = RedirectResponse(path + (f"?{rest}" if rest else ""), status_code=303)
            response.set_cookie(COOKIE, _pass(self._token), httponly=True, samesite="strict", max_age=30 * 86_400)
            return response
        bearer = asked.headers.get("authorization", "").removeprefix("Bearer ")
        if _equal(asked.cookies.get(COOKIE, ""), _pass(self._token)) or _equal(bearer, self._token):
            return None
        return PlainTextResponse(NOT_ADMITTED, status_code=401)


def _same_origin(headers: Headers) -> bool:
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


def is_loopback(host: str) -> bool:
    """Whether a name or address is this machine and nobody else."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _host_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _pass(token: str) -> str:
    return blake2b(token.encode(), person=b"openspade cookie", digest_size=32).hexdigest()


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
