"""A server as a suite names it."""

from __future__ import annotations

import pytest

from mcptest.live import WrongServer, read_server


def test_a_command_is_split_as_a_shell_does_and_runs_beside_the_suite(tmp_path):
    server = read_server({"command": "python 'my server.py'", "args": ["--port", 7], "env": {"ON": True}}, tmp_path)
    assert server.target.command == ("python", "my server.py", "--port", "7")
    assert server.target.cwd == str(tmp_path)
    assert server.target.env == (("ON", "true"),)
    assert server.timeout == 30.0


def test_a_folder_is_seen_from_the_suite(tmp_path):
    (tmp_path / "weather").mkdir()
    assert read_server({"command": ["x"], "cwd": "weather"}, tmp_path).target.cwd == str(tmp_path / "weather")


def test_a_url_takes_its_token_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("WEATHER_TOKEN", "abc")
    given = {"url": "https://example.org/mcp", "headers": {"X-Team": 1}, "bearer_token_env": "WEATHER_TOKEN"}
    server = read_server({**given, "timeout": 5}, tmp_path)
    assert server.target.headers == (("X-Team", "1"), ("Authorization", "Bearer abc"))
    assert server.timeout == 5.0


@pytest.mark.parametrize(
    ("given", "way"), [("python server.py", "command"), ("http://127.0.0.1:1/mcp", "url"), ("https://a.b/", "url")]
)
def test_a_text_alone_is_a_command_or_a_url(tmp_path, given, way):
    assert read_server(given, tmp_path).target.is_http is (way == "url")


@pytest.mark.parametrize(
    ("given", "at", "complaint"),
    [
        (None, (), "a mapping"),
        ({}, (), "either a `command` or a `url`"),
        ({"command": "x", "url": "http://a/"}, (), "either a `command` or a `url`"),
        ({"comand": "x"}, ("comand",), "did you mean command?"),
        ({"command": "'x"}, ("command",), "no command line"),
        ({"command": ""}, ("command",), "a command line"),
        ({"command": [1]}, ("command",), "a command line"),
        ({"command": "x", "args": "y"}, ("args",), "a list of words"),
        ({"command": "x", "env": ["A=1"]}, ("env",), "from names to texts"),
        ({"command": "x", "cwd": "nowhere"}, ("cwd",), "there is no folder"),
        ({"command": "x", "headers": {}}, ("headers",), "does not go with a command"),
        ({"url": "http://a/", "env": {}}, ("env",), "does not go with a url"),
        ({"url": "ftp://a/"}, ("url",), "a target's URL"),
        ({"url": "http://a/", "bearer_token_env": "NO_SUCH_TOKEN"}, ("bearer_token_env",), "no environment variable"),
        ({"command": "x", "timeout": 0}, ("timeout",), "a number of seconds"),
        ({"command": "x", "timeout": "1"}, ("timeout",), "a number of seconds"),
    ],
)
def test_what_describes_no_server_is_refused_with_its_place(tmp_path, given, at, complaint):
    with pytest.raises(WrongServer) as refusal:
        read_server(given, tmp_path)
    assert complaint in str(refusal.value)
    assert refusal.value.at == at
