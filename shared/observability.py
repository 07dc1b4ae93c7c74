"""What an operator sees: structured log lines and Prometheus metrics.

No secret and no personal data gets out: log calls name their fields, fields with a telling name are blanked whatever they hold, and metrics carry
labels from closed sets only (route templates, never paths).
"""

from __future__ import annotations

import logging
import logging.config
import os
import sys
from collections.abc import MutableMapping
from contextvars import ContextVar
from typing import Any

import structlog
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess

from shared.unreadable import UnreadableEvent

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)

_BLANKED = frozenset(
    {
        "authorization", "token", "tokens", "secret", "password", "key", "master_key", "data_key", "dsn", "database_url", "cookie", "ip", "ips",
        "address", "addresses", "network", "networks", "evidence", "text", "note", "internal_note", "description", "grounds", "body", "payload",
    }
)  # fmt: skip
_LATENCIES = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

Event = MutableMapping[str, Any]


def add_request_id(_logger: object, _method: str, event: Event) -> Event:
    """Put the request's id on the line, so that one request's lines can be found."""
    current = request_id.get()
    if current is not None:
        event.setdefault("request_id", current)
    return event


def blank_private(_logger: object, _method: str, event: Event) -> Event:
    """The last line of defence: a field whose name promises a secret or personal data is written as `***`."""
    for name in event:
        if name.lower() in _BLANKED:
            event[name] = "***"
    return event


def configure_logging(level: str = "info", form: str = "json") -> None:
    """Send our lines and those of the libraries to standard error, one JSON object a line (`console`: for a person)."""
    shared: list[Any] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        add_request_id,
        blank_private,
    ]
    tracebacks: list[Any] = [structlog.processors.format_exc_info]
    renderer: Any = structlog.processors.JSONRenderer()
    if form == "console":
        # The default would, where rich is installed, print the variables of every frame: tokens, addresses, evidence.
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)
        tracebacks = []
    formatter = {"()": structlog.stdlib.ProcessorFormatter, "foreign_pre_chain": shared}
    formatter["processors"] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *tracebacks, renderer]
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"line": formatter},
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
            "root": {"handlers": ["stderr"], "level": level.upper()},
            # The access log is the gateway's own; asyncio and the libraries below would write addresses and statements at debug.
            "loggers": {name: {"level": "WARNING"} for name in ("uvicorn.access", "asyncio", "httpx", "httpcore", "sqlalchemy", "alembic")},
        }
    )
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


class Metrics:
    """The service's metrics. One object a process; with several workers the values meet in the folder PROMETHEUS_MULTIPROC_DIR."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = CollectorRegistry() if registry is None else registry
        self.request_seconds = Histogram(
            "moderation_request_seconds", "Time from a request's head to its reply's last byte.", ("method", "route", "status"),
            buckets=_LATENCIES, registry=self.registry,
        )  # fmt: skip
        self.append_batch_size = Histogram(
            "moderation_append_batch_size", "Requests written in one transaction.", buckets=_SIZES, registry=self.registry
        )
        self.append_seconds = Histogram(
            "moderation_append_seconds", "Time of one append transaction, its durable commit included.", buckets=_LATENCIES, registry=self.registry
        )
        self.append_conflicts = Counter("moderation_append_conflicts", "Appends refused because the stream had moved on.", registry=self.registry)
        self.append_queue_depth = Gauge(
            "moderation_append_queue_depth", "Appends that wait for the writer.", registry=self.registry, multiprocess_mode="livesum"
        )
        self.log_sealed = Gauge(
            "moderation_log_sealed", "Events covered by the last signed checkpoint.", registry=self.registry, multiprocess_mode="max"
        )
        self.log_doubts = Counter("moderation_log_doubts", "Refusals to sign a log that is not what it was: look at once.", registry=self.registry)
        self.feed_streams = Gauge("moderation_feed_streams", "Open streams of the feed.", registry=self.registry, multiprocess_mode="livesum")
        self.feed_items = Counter("moderation_feed_items", "Items that the feed's readers were told of.", registry=self.registry)
        self.feed_cut = Counter("moderation_feed_cut", "Streams cut because their client took nothing any more.", registry=self.registry)
        self.feed_delay = Histogram(
            "moderation_feed_delay_seconds", "Time from an event's record until it is handed to the feed's readers.", buckets=_LATENCIES,
            registry=self.registry,
        )  # fmt: skip
        self.unavailable = Counter(
            "moderation_unavailable", "Requests answered 503, by reason: database, unreadable, unexpected.", ("reason",), registry=self.registry
        )
        self.loop_lag = Histogram(
            "moderation_loop_lag_seconds", "How much later than due the event loop runs what it was to run: what every request waits besides.",
            buckets=_LATENCIES, registry=self.registry,
        )  # fmt: skip
        self.answered = 0
        """Requests that this process has answered."""
        self._children: dict[tuple[str, str, int], Any] = {}
        self._add_webhooks()
        self._add_staff_work()

    def _add_webhooks(self) -> None:
        self.webhook_attempts = Counter("moderation_webhook_attempts", "Attempts to deliver to a webhook.", ("outcome",), registry=self.registry)
        self.webhook_dead = Counter("moderation_webhook_dead", "Deliveries given up after three days.", registry=self.registry)
        self.webhook_seconds = Histogram(
            "moderation_webhook_seconds", "Time of one attempt to deliver.", buckets=_LATENCIES, registry=self.registry
        )
        self.webhook_waiting = Gauge(
            "moderation_webhook_waiting", "Deliveries that are still to be made.", registry=self.registry, multiprocess_mode="mostrecent"
        )
        self.webhook_given_up = Gauge(
            "moderation_webhook_given_up", "Deliveries that were given up and not asked for again.", registry=self.registry,
            multiprocess_mode="mostrecent",
        )  # fmt: skip

    def _add_staff_work(self) -> None:
        """What waits for staff, and what images cost."""
        self.call_queues = Gauge(
            "moderation_call_queue", "Calls of a category, by figure: open, stale, lapsed (counts), oldest_seconds, median_wait_seconds.",
            ("category", "figure"), registry=self.registry, multiprocess_mode="mostrecent",
        )  # fmt: skip
        self.image_seconds = Histogram(
            "moderation_image_seconds", "Time of one decoding of an image, by outcome: done, refused, failed.", ("outcome",),
            buckets=_LATENCIES, registry=self.registry,
        )  # fmt: skip
        self.cosmetics_to_review = Gauge(
            "moderation_cosmetics_to_review", "Images that wait for a review: waiting (all that are shown), reported, withdrawn.", ("figure",),
            registry=self.registry, multiprocess_mode="mostrecent",
        )  # fmt: skip

    def observe_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request. `route` is the template (`/v1/players/{player_id}/standing`), never the path, which names people."""
        self.answered += 1
        child = self._children.get((method, route, status))
        if child is None:
            child = self._children[method, route, status] = self.request_seconds.labels(method, route, str(status))
        child.observe(seconds)

    def render(self) -> tuple[bytes, str]:
        """The body and the content type of `GET /metrics`."""
        if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            everyone = CollectorRegistry()
            multiprocess.MultiProcessCollector(everyone)  # type: ignore[no-untyped-call]
            return generate_latest(everyone), CONTENT_TYPE_LATEST
        return generate_latest(self.registry), CONTENT_TYPE_LATEST


METRICS = Metrics()


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """A logger whose lines are an event and named fields: `log.info("appended", events=3)`."""
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger


_REPORTED: set[int] = set()
_REPORTED_AT_MOST = 10_000


def report_unreadable(error: UnreadableEvent) -> None:
    """Log an event that can't be read, once per position and process: someone must look at it, and one line is enough (E06)."""
    if error.position in _REPORTED or len(_REPORTED) >= _REPORTED_AT_MOST:
        return
    _REPORTED.add(error.position)
    get_logger("eventstore").error("unreadable_event", position=error.position, type=error.type, why=error.why)
