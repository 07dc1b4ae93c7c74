"""The tables of this service as the log alone gives them: one line for each table and kind of stream that writes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from services.moderation.appeals.events import AppealDecided, AppealOpened, AppealWithdrawn
from services.moderation.appeals.views import appeal_row
from services.moderation.erasure.handler import erasure_rows
from services.moderation.network_bans import state as network_bans
from services.moderation.network_bans.view import writes_of as network_ban_writes
from services.moderation.policy import state as policy
from services.moderation.policy.handler import table_write as policy_row
from services.moderation.reads.recorder import read_row
from services.moderation.record import state as record
from services.moderation.record.changes import incident_index
from services.moderation.record.events import IncidentDecided, IncidentImported, PlayerErased
from services.moderation.referrals import state as referrals
from services.moderation.referrals.view import referral_row
from services.moderation.rollbacks import state as rollbacks
from services.moderation.rollbacks.views import rollback_row
from services.moderation.staff.decider import StaffDecider, TokenDecider
from services.moderation.staff.handler import staff_row
from services.moderation.staff.operator import token_row
from services.moderation.staff.state import StaffState, TokenState
from services.moderation.views.duel_incidents import duel_index
from services.moderation.views.network_rows import may_bar, network_writes
from services.moderation.views.staff_decisions import DECISIONS, record_decisions
from services.moderation.views.standing import facts_of
from services.moderation.views.tables import standing_write
from services.moderation.webhooks.decider import WebhookDecider
from services.moderation.webhooks.operator import webhook_row
from services.moderation.webhooks.state import WebhookState
from shared.eventstore.port import TableWrite
from shared.projections.folding import Category, Step, TableView

RECORD: Category[record.RecordState] = Category(prefix="record-", initial=record.INITIAL, evolve=record.evolve)
NETWORK_BAN = Category(prefix="network-ban-", initial=network_bans.INITIAL, evolve=network_bans.evolve)
STAFF = Category(prefix="staff-", initial=StaffDecider().initial(), evolve=StaffDecider().evolve)
TOKEN = Category(prefix="token-", initial=TokenDecider().initial(), evolve=TokenDecider().evolve)
POLICY = Category(prefix="policy-", initial=policy.PolicyState(), evolve=policy.evolve)
ROLLBACK = Category(prefix="rollback-", initial=rollbacks.INITIAL, evolve=rollbacks.evolve)
REFERRAL = Category(prefix="referral-", initial=referrals.INITIAL, evolve=referrals.evolve)
WEBHOOK = Category(prefix="webhook-", initial=WebhookDecider().initial(), evolve=WebhookDecider().evolve)
READER: Category[None] = Category(prefix="reader-", initial=None, evolve=lambda _state, _event: None)

RecordStep = Step[record.RecordState]


def _standing(step: RecordStep) -> Iterable[TableWrite]:
    yield standing_write(step.key, facts_of(step.after), step.version)


def _indexes(step: RecordStep) -> Iterable[TableWrite]:
    """What the events alone say, for several tables at once: most commands write to more than one."""
    writes: list[TableWrite] = []
    for version, event in step.versioned():
        if isinstance(event, IncidentDecided):
            writes += (incident_index(event, version), *duel_index(event))
        elif isinstance(event, IncidentImported):
            writes.append(incident_index(event, version))
    if not DECISIONS.isdisjoint(map(type, step.events)):
        writes += record_decisions(step.key, f"{RECORD.prefix}{step.key}", step.version - len(step.events), step.events)
    return writes


def _networks(step: RecordStep) -> Iterable[TableWrite]:
    return network_writes(step.key, step.before, step.after) if any(map(may_bar, step.events)) else ()


def _appeals(step: RecordStep) -> Iterable[TableWrite]:
    about = (event for event in step.events if isinstance(event, AppealOpened | AppealWithdrawn | AppealDecided))
    return (appeal_row(step.key, step.after.appeals[event.appeal_id], step.version) for event in about)


def _erasures(step: RecordStep) -> Iterable[TableWrite]:
    return erasure_rows(step.key, step.before.version, step.events)


def _network_bans(step: Step[network_bans.NetworkBanState]) -> Iterable[TableWrite]:
    at = step.after.last_at
    in_appeal = any(isinstance(event, AppealDecided) for event in step.beside)
    return network_ban_writes(step.key, step.after, step.events, at, in_appeal=in_appeal) if at is not None else ()


def _rollbacks(step: Step[rollbacks.RollbackState]) -> Iterable[TableWrite]:
    yield rollback_row(step.after)


def _referrals(step: Step[referrals.ReferralState]) -> Iterable[TableWrite]:
    yield referral_row(step.after)


def _webhooks(step: Step[WebhookState]) -> Iterable[TableWrite]:
    yield webhook_row(step.key, step.version, step.after)


def _staff(step: Step[StaffState]) -> Iterable[TableWrite]:
    yield staff_row(step.key, step.after, step.version)


def _tokens(step: Step[TokenState]) -> Iterable[TableWrite]:
    yield token_row(step.after)


def _policies(step: Step[policy.PolicyState]) -> Iterable[TableWrite]:
    if step.after.current is not None:
        yield policy_row(step.after.current)


def _reads(step: Step[None]) -> Iterable[TableWrite]:
    return (read_row(event, version) for version, event in step.versioned())


VIEWS: tuple[TableView[Any], ...] = (
    TableView(table="standing", category=RECORD, writes=_standing, newest=True),
    TableView(table="incidents", category=RECORD, writes=_indexes, of=frozenset({IncidentDecided, IncidentImported})),
    TableView(table="duel_incidents", category=RECORD, writes=_indexes, of=frozenset({IncidentDecided})),
    TableView(table="appeals", category=RECORD, writes=_appeals, of=frozenset({AppealOpened, AppealWithdrawn, AppealDecided})),
    TableView(table="erasures", category=RECORD, writes=_erasures, of=frozenset({PlayerErased})),
    TableView(table="network_bans", category=RECORD, writes=_networks),
    TableView(table="network_ban_list", category=RECORD, writes=_networks),
    TableView(table="network_bans", category=NETWORK_BAN, writes=_network_bans),
    TableView(table="network_ban_list", category=NETWORK_BAN, writes=_network_bans),
    TableView(table="network_exemptions", category=NETWORK_BAN, writes=_network_bans),
    TableView(table="staff_decisions", category=RECORD, writes=_indexes, of=DECISIONS),
    TableView(table="staff_decisions", category=NETWORK_BAN, writes=_network_bans, also=(RECORD,)),
    TableView(table="rollbacks", category=ROLLBACK, writes=_rollbacks),
    TableView(table="referrals", category=REFERRAL, writes=_referrals),
    TableView(table="webhooks", category=WEBHOOK, writes=_webhooks),
    TableView(table="staff", category=STAFF, writes=_staff),
    TableView(table="tokens", category=TOKEN, writes=_tokens),
    TableView(table="policies", category=POLICY, writes=_policies),
    TableView(table="reads", category=READER, writes=_reads),
)
