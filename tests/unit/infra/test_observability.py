"""Log lines and metrics: enough to run the service by, and nothing about people."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest
from prometheus_client import CollectorRegistry

from shared.observability import Metrics, configure_logging, get_logger, request_id


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Logging as it was before the test."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)


def test_a_line_is_json_with_the_requests_id_and_blanks_what_is_private(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("info")
    token = request_id.set("req-1")
    try:
        get_logger("test.one").info("appended", events=3, token="mod_secret", ip="10.0.0.1", note="she said")
        logging.getLogger("some.library").warning("slow %s", "query")
    finally:
        request_id.reset(token)
    ours, theirs = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert ours["event"] == "appended"
    assert (ours["events"], ours["request_id"], ours["level"], ours["logger"]) == (3, "req-1", "info", "test.one")
    assert (ours["token"], ours["ip"], ours["note"]) == ("***", "***", "***")
    assert theirs["event"] == "slow query"
    assert theirs["request_id"] == "req-1"


def test_an_exception_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("error")
    try:
        int("broken")
    except ValueError:
        get_logger("test.two").exception("failed")
    get_logger("test.two").info("left out")
    (line,) = capsys.readouterr().err.splitlines()
    assert "ValueError: invalid literal" in json.loads(line)["exception"]


def test_a_traceback_for_a_person_shows_no_variables(capsys: pytest.CaptureFixture[str]) -> None:
    """They hold tokens, addresses and evidence."""
    configure_logging("error", "console")
    address = "-".join(map(str, range(9)))  # stands in no line of the source, only in the variable
    try:
        address.index("x")
    except ValueError:
        get_logger("test.three").exception("failed")
    shown = capsys.readouterr().err
    assert "ValueError" in shown
    assert address not in shown


def test_metrics_count_by_template_and_status() -> None:
    metrics = Metrics(CollectorRegistry())
    for _ in range(3):
        metrics.observe_request("GET", "/v1/players/{player_id}/standing", 200, 0.003)
    metrics.append_batch_size.observe(7)
    metrics.append_queue_depth.set(2)
    body, content_type = metrics.render()
    text = body.decode()
    assert content_type.startswith("text/plain")
    assert 'moderation_request_seconds_count{method="GET",route="/v1/players/{player_id}/standing",status="200"} 3.0' in text
    assert "moderation_append_batch_size_sum 7.0" in text
    assert "moderation_append_queue_depth 2.0" in text
