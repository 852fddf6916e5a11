"""Who may look at a dashboard, and what other sites may not do to it."""

import socket
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("pygments")
from starlette.testclient import TestClient
from typer.testing import CliRunner

from openspade.cli.main import app
from openspade.dashboard.app import build_app
from openspade.errors import ConfigError

HOME = "http://127.0.0.1:8642"
AWAY = "http://trainer.example:8642"
TOKEN = "a long random text"


def guarded(folder: Path) -> TestClient:
    return TestClient(build_app(folder, token=TOKEN), base_url=AWAY)


def test_another_name_for_this_machine_is_refused_without_a_token(tmp_path: Path):
    client = TestClient(build_app(tmp_path), base_url=AWAY)
    assert client.get("/").status_code == 421


@pytest.mark.parametrize("host", ["[::1", "[", "::1]:x", "%zz", "a" * 5000])
def test_a_host_that_is_no_address_is_refused_in_words(tmp_path: Path, host: str):
    client = TestClient(build_app(tmp_path), base_url=HOME)
    assert client.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.2:8642", "127.9.9.9", "localhost:1", "[::1]:8642"])
def test_every_loopback_address_is_this_machine(tmp_path: Path, host: str):
    client = TestClient(build_app(tmp_path), base_url=HOME)
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("path", ["//evil.example/", "///evil.example", "/\\evil.example", "//evil.example/run/../.."])
def test_entering_leads_to_no_other_site(tmp_path: Path, path: str):
    client = guarded(tmp_path)
    answer = client.get(f"{AWAY}{path}", params={"token": TOKEN}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/") and answer.headers["location"][1:2] not in ("/", "\\")


def test_an_origin_that_is_no_address_may_not_act(tmp_path: Path):
    client = TestClient(build_app(tmp_path), base_url=HOME)
    assert client.post("/run/x/play/y/move", headers={"origin": "http://[::1"}).status_code == 403


def test_a_stranger_is_refused_where_there_is_a_token(tmp_path: Path):
    assert guarded(tmp_path).get("/").status_code == 401
    assert guarded(tmp_path).get("/static/spade.svg").status_code == 401
    assert guarded(tmp_path).get("/?token=wrong").status_code == 401


def test_the_token_is_asked_for_once_and_leaves_the_address(tmp_path: Path):
    client = guarded(tmp_path)
    entered = client.get("/", params={"token": TOKEN, "order": "newest"})
    assert entered.status_code == 200
    assert str(entered.url) == f"{AWAY}/?order=newest"
    assert client.get("/").status_code == 200


def test_a_program_shows_the_token_in_a_header(tmp_path: Path):
    headers = {"authorization": f"Bearer {TOKEN}"}
    assert guarded(tmp_path).get("/", headers=headers).status_code == 200


@pytest.mark.parametrize("headers", [{"sec-fetch-site": "cross-site"}, {"origin": "http://evil.example"}])
def test_a_form_of_another_site_may_not_act(tmp_path: Path, headers: dict[str, str]):
    client = TestClient(build_app(tmp_path), base_url=HOME)
    assert client.post("/run/x/play/y/move", headers=headers).status_code == 403


def test_static_files_are_only_those_of_the_package(tmp_path: Path):
    client = TestClient(build_app(tmp_path), base_url=HOME)
    assert client.get("/static/../app.py").status_code == 404
    assert client.get("/static/%2e%2e/app.py").status_code == 404


def test_strangers_are_not_listened_to_without_a_token(tmp_path: Path):
    result = CliRunner().invoke(app, ["dashboard", str(tmp_path), "--host", "0.0.0.0"])
    assert isinstance(result.exception, ConfigError)
    assert "OPENSPADE_DASHBOARD_TOKEN" in str(result.exception)


def test_a_taken_port_is_named(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(app, ["dashboard", str(tmp_path), "--port", str(port)])
    assert f"127.0.0.1:{port} cannot be listened on" in str(result.exception)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path):
    result = CliRunner().invoke(app, ["dashboard", str(tmp_path / "none")])
    assert "there is no folder" in str(result.exception)
