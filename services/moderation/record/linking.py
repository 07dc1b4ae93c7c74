"""What a ban does to linked accounts (I-13): with five of them banned at one moment, all those get an IP ban, whatever banned the fifth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from services.moderation.policy.tables import Policy
from services.moderation.record.changes import Change, changes_of
from services.moderation.record.commands import BanAlt, Decider, Facts
from services.moderation.record.decider import decide
from services.moderation.record.evasion import five_at_once, latest_charge, linked_alts, mains_around, running_bans
from services.moderation.record.repository import Records
from services.moderation.record.state import RecordState
from services.moderation.views.networks_seen import NetworksSeen


class LinkedAccounts:
    """Completes what a command changes on records by what follows for the accounts linked with them; it records nothing."""

    def __init__(self, *, records: Records, networks: NetworksSeen, new_id: Callable[[], str]) -> None:
        self._records = records
        self._networks = networks
        self._new_id = new_id

    async def followed(self, changes: Sequence[Change], by: Decider, policy: Policy, now: datetime) -> list[Change]:
        """The changes, in their order, with the IP bans that follow; then the other accounts that were counted.

        An account that was counted and does not change is a change without events: it guards that the count still holds when this is recorded.
        Raises a `Refusal` `conflict_of_interest` when the decider's own account is one of five.
        """
        found = {change.player_id: change for change in changes}
        mains = [main for change in changes if _is_newly_banned(change, now) for main in mains_around(change.player_id, change.after)]
        for main in dict.fromkeys(mains):
            states = await self._group(main, found)
            banned = five_at_once(main, states, now, policy.settings)
            commands = await self._commands(main, states, banned, by, policy, now)
            for account, state in states.items():
                before = found.get(account) or changes_of(account, state, ())
                events = decide(commands[account], state) if account in commands else ()
                found[account] = changes_of(account, before.before, (*before.events, *events)) if events else before
        return list(found.values())

    async def _group(self, main: str, found: dict[str, Change]) -> dict[str, RecordState]:
        """The records of the main account and of all that were charged as its alts, as the changes leave them."""
        states = await self._after([main], found)
        return {**states, **await self._after([alt for alt in linked_alts(states[main]) if alt != main], found)}

    async def _after(self, accounts: Sequence[str], found: dict[str, Change]) -> dict[str, RecordState]:
        missing = [account for account in accounts if account not in found]
        read = await self._records.states(missing) if missing else {}
        return {account: found[account].after if account in found else read[account] for account in accounts}

    async def _commands(
        self, main: str, states: Mapping[str, RecordState], banned: Sequence[str], by: Decider, policy: Policy, now: datetime
    ) -> dict[str, BanAlt]:
        charge = latest_charge(states[main])
        if not banned or charge is None:
            return {}
        seen = await self._networks.of(list(banned), now, policy)
        ban = BanAlt(
            incident_id=charge.incident_id,
            player_id=main,
            main_player_id=main,
            at=now,
            by=by,
            policy_version=policy.version,
            ip_ban=True,
            ids=(),
            charged=False,
            notify=charge.notify,
        )
        return {
            account: replace(ban, player_id=account, ids=(self._new_id(), self._new_id()), facts=Facts(networks=seen.get(account, ())))
            for account in banned
        }


def _is_newly_banned(change: Change, now: datetime) -> bool:
    """Whether the change puts an account that was free under a ban."""
    was, stands = (bool(running_bans(state, state.moment(now))) for state in (change.before, change.after))
    return stands and not was
