"""What a batch of requests is in the arrays of `log_append`, and what its answer means: no I/O here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from shared.eventstore.port import Answered, Appended, AppendRequest, AppendResult, Conflict, InlineTable, Slot, StoredReply

APPEND_SQL = (
    "SELECT * FROM log_append($1::integer[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::integer[], $7::bytea[], $8::text[], $9::integer[], "
    "$10::integer[], $11::text[], $12::integer[], "
    "$13::integer[], $14::text[], $15::integer[], $16::text[], $17::text[], $18::bytea[], $19::bytea[], "
    "$20::integer[], $21::integer[], $22::text[], $23::text[], $24::bytea[], "
    "$25::integer[], $26::text[], $27::bytea[])"
)
FIND_SQL = "SELECT req, found_position, found_at FROM log_find($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[])"


def claims(request: AppendRequest) -> tuple[str, ...]:
    """What the request must have to itself in a batch: its streams, its idempotency key, the subjects of its data keys."""
    found = [part.stream for part in request.appends]
    if request.idempotency is not None:
        found.append(f"\0{request.idempotency.principal}\0{request.idempotency.key}")
    found.extend(f"\1{row.subject}" for row in request.data_keys)
    return tuple(found)


def validate(request: AppendRequest, tables: Mapping[str, InlineTable]) -> None:
    """Raise `ValueError` for a request that no store can record: a fault of the program, found before it is queued."""
    streams = [part.stream for part in request.appends]
    count = sum(len(part.events) for part in request.appends)
    if len(set(streams)) != len(streams):
        message = f"a stream occurs twice in one request: {sorted(streams)}"
        raise ValueError(message)
    for item in request.outbox:
        if not 0 <= item.event < count:
            message = f"the outbox item {item.type} is caused by event {item.event}, but the request has {count}"
            raise ValueError(message)
    for write in request.writes:
        table = tables.get(write.table)
        if table is None:
            message = f"{write.table} is no registered inline table"
            raise ValueError(message)
        wanted = len(table.key) if write.delete else len(table.order)
        if len(write.row) != wanted:
            message = f"a row of {write.table} has {len(write.row)} values, not {wanted}"
            raise ValueError(message)


def append_arguments(requests: Sequence[AppendRequest]) -> list[Sequence[Any]]:
    """The arguments of `APPEND_SQL`."""
    idem: list[tuple[Any, ...]] = []
    guard: list[tuple[Any, ...]] = []
    events: list[tuple[Any, ...]] = []
    out: list[tuple[Any, ...]] = []
    keys: list[tuple[Any, ...]] = []
    for number, request in enumerate(requests, 1):
        before, command = len(events), request.command_id
        for part in request.appends:
            stream, version = part.stream, part.expected_version
            guard.append((number, stream, version))
            for offset, new in enumerate(part.events, version + 1):
                events.append((number, stream, offset, new.type, command, new.meta, new.payload))
        record = request.idempotency
        if record is not None:
            last = len(events) if len(events) > before else 0
            idem.append((number, record.principal, record.key, record.route, record.fingerprint, record.status, record.reply, command, last))
        ordinals: dict[int, int] = {}
        for item in request.outbox:
            ordinal = ordinals[item.event] = ordinals.get(item.event, 0) + 1
            out.append((before + item.event + 1, ordinal, item.type, item.player_id, item.data))
        keys.extend((number, key.subject, key.wrapped) for key in request.data_keys)
    return [*_columns(idem, 9), *_columns(guard, 3), *_columns(events, 7), *_columns(out, 5), *_columns(keys, 3)]


def _columns(rows: Sequence[tuple[Any, ...]], count: int) -> list[Sequence[Any]]:
    return list(zip(*rows, strict=True)) if rows else [()] * count


def results(requests: Sequence[AppendRequest], answer: Any) -> list[AppendResult]:
    """What each request got, from the row that `APPEND_SQL` returned. An answered key wins over a conflict."""
    refused: dict[int, AppendResult] = {}
    for number, subject in zip(answer["taken_req"] or (), answer["taken_subject"] or (), strict=True):
        refused[number] = Conflict(stream=f"data-key-{subject}", expected_version=0, actual_version=1)
    for number, stream, expected, actual in _rows(answer, "conflict_req", "conflict_stream", "conflict_expected", "conflict_actual"):
        if not isinstance(refused.get(number), Conflict) or refused[number].stream.startswith("data-key-"):  # type: ignore[union-attr]
            refused[number] = Conflict(stream=stream, expected_version=expected, actual_version=actual)
    names = ("answered_req", "answered_route", "answered_fingerprint", "answered_status", "answered_reply", "answered_position")
    for number, route, fingerprint, status, reply, position in _rows(answer, *names):
        stored = StoredReply(route=route, fingerprint=fingerprint, status=status, reply=reply, position=position)
        refused[number] = Answered(stored=stored)
    position, moment = answer["base"], answer["moment"]
    found: list[AppendResult] = []
    for number, request in enumerate(requests, 1):
        if number in refused:
            found.append(refused[number])
            continue
        count = sum(len(part.events) for part in request.appends)
        found.append(appended(position + 1, count, moment))
        position += count
    return found


def _rows(answer: Any, *names: str) -> list[tuple[Any, ...]]:
    return list(zip(*(answer[name] or () for name in names), strict=True))


def appended(first: int, count: int, moment: datetime) -> Appended:
    """The answer to a request whose `count` events begin at position `first`."""
    return Appended(first_position=first if count else 0, last_position=first + count - 1 if count else 0, recorded_at=moment)


def find_arguments(requests: Sequence[AppendRequest]) -> tuple[list[Any], ...]:
    """The arguments of `FIND_SQL`: a request is known by its first event, without events by its idempotency key."""
    columns: tuple[list[Any], ...] = ([], [], [], [], [])
    for request in requests:
        first = next((part for part in request.appends if part.events), None)
        record = request.idempotency
        columns[0].append(first.stream if first else None)
        columns[1].append(first.expected_version + 1 if first else None)
        columns[2].append(record.principal if record else None)
        columns[3].append(record.key if record else None)
        columns[4].append(request.command_id)
    return columns


def table_rows(
    requests: Sequence[AppendRequest], outcomes: Sequence[AppendResult], tables: Mapping[str, InlineTable]
) -> dict[tuple[str, bool], list[tuple[Any, ...]]]:
    """The rows to delete (`(table, True)`) and to upsert (`(table, False)`) for the accepted requests.

    One statement can't touch a row twice, so of several writes to a row the last one counts; with a version column, the newest.
    """
    last: dict[tuple[str, tuple[Any, ...]], tuple[bool, tuple[Any, ...]]] = {}
    for request, outcome in zip(requests, outcomes, strict=True):
        if not isinstance(outcome, Appended):
            continue
        for write in request.writes:
            table = tables[write.table]
            row = fill(write.row, outcome)
            if write.delete:
                last[table.name, row] = (True, row)
                continue
            place = (table.name, tuple(row[table.order.index(name)] for name in table.key))
            previous = last.get(place)
            if previous is not None and not previous[0] and not replaces(table, previous[1], row):
                continue
            last[place] = (False, row)
    found: dict[tuple[str, bool], list[tuple[Any, ...]]] = {}
    for (name, _), (delete, row) in last.items():
        found.setdefault((name, delete), []).append(row)
    return found


def replaces(table: InlineTable, old: tuple[Any, ...], new: tuple[Any, ...], *, same_batch: bool = True) -> bool:
    """Whether a row takes the place of an older one; of two in one batch with the same version the later counts."""
    if table.version_column is None:
        return True
    column = table.order.index(table.version_column)
    return bool(new[column] > old[column] or (same_batch and new[column] == old[column]))


def fill(row: tuple[Any, ...], outcome: Appended) -> tuple[Any, ...]:
    """The row with its slots filled in."""
    if not any(isinstance(value, Slot) for value in row):
        return row
    known = {Slot.LAST_POSITION: outcome.last_position, Slot.RECORDED_AT: outcome.recorded_at}
    return tuple(known[value] if isinstance(value, Slot) else value for value in row)


def table_sql(places: Sequence[tuple[str, bool]], tables: Mapping[str, InlineTable]) -> str:
    """One statement for all rows of a batch: the arrays of the first table's columns in, then the next one's (key columns for deletions)."""
    parts: list[str] = []
    used = 0
    for name, delete in places:
        table = tables[name]
        parts.append(_delete_sql(table, used) if delete else _upsert_sql(table, used))
        used += len(table.key if delete else table.order)
    if any(tables[name].bumps_epoch for name, _ in places):
        parts.append("UPDATE config_epoch SET epoch = epoch + 1 WHERE id")
    return "WITH " + ", ".join(f"w{number} AS ({part})" for number, part in enumerate(parts)) + " SELECT 1"


def _upsert_sql(table: InlineTable, used: int) -> str:
    columns = ", ".join(table.order)
    arrays = ", ".join(f"${number}::{kind}[]" for number, kind in enumerate(table.columns.values(), used + 1))
    rest = [name for name in table.order if name not in table.key]
    sql = f"INSERT INTO {table.name} AS t ({columns}) SELECT * FROM unnest({arrays}) ON CONFLICT ({', '.join(table.key)}) DO "  # noqa: S608  our own names
    if not rest:
        return sql + "NOTHING"
    sql += "UPDATE SET " + ", ".join(f"{name} = EXCLUDED.{name}" for name in rest)
    if table.version_column is not None:
        sql += f" WHERE t.{table.version_column} < EXCLUDED.{table.version_column}"
    return sql


def _delete_sql(table: InlineTable, used: int) -> str:
    arrays = ", ".join(f"${number}::{table.columns[name]}[]" for number, name in enumerate(table.key, used + 1))
    same = " AND ".join(f"t.{name} = d.{name}" for name in table.key)
    return f"DELETE FROM {table.name} AS t USING unnest({arrays}) AS d({', '.join(table.key)}) WHERE {same}"  # noqa: S608  our own names
