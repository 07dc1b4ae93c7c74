"""What a call and its room ought to do, written a second time: plainly, from the interpretations, sharing nothing with the service."""

from __future__ import annotations

from dataclasses import dataclass, field

PLAYERS = ("p1", "p2")
WATCHERS_MAY = ("harassment", "report-bug")
SENIORS = ("senior_admin", "senior_admin_b", "head_admin")
LEASE = 120


@dataclass(slots=True)
class ModelCall:
    """One call of the room; `problems` are (caller, category) that stand, `decisions` name who made them and whether they are final."""

    category: str
    callers: set[str]
    problems: list[tuple[str, str]]
    state: str = "open"
    taker: str | None = None
    takers: set[str] = field(default_factory=set)
    lease_until: int = 0
    playing_on: bool = False
    gone: set[str] = field(default_factory=set)
    decisions: list[tuple[str, bool]] = field(default_factory=list)
    under_appeal: int | None = None


@dataclass(slots=True)
class ModelRoom:
    """A room with its calls; each method returns the code of a refusal, or "" for yes."""

    now: int = 0
    call: ModelCall | None = None
    last: ModelCall | None = None

    @property
    def paused(self) -> bool:
        """I-43, I-44."""
        call = self.call
        if call is None or call.taker is not None or call.gone == set(PLAYERS):
            return False
        return any(caller in PLAYERS for caller, _ in call.problems)

    @property
    def under_admin(self) -> bool:
        """I-50."""
        return self.call is not None and self.call.taker is not None and not self.call.playing_on

    def press(self, caller: str, category: str) -> str:
        """I-40, I-41, I-43; `""` also when it joins."""
        if caller not in PLAYERS and category not in WATCHERS_MAY:
            return "not_in_duel"
        if self.call is None:
            self.call = self.last = ModelCall(category=category, callers={caller}, problems=[(caller, category)])
        elif (caller, category) not in self.call.problems:
            self.call.problems.append((caller, category))
            self.call.callers.add(caller)
        return ""

    def cancel(self, caller: str) -> str:
        """I-42."""
        call = self.call
        if call is None:
            return "call_closed"
        if caller not in [who for who, _ in call.problems]:
            return "not_the_caller"
        if call.state != "open":
            return "call_already_taken"
        call.problems = [problem for problem in call.problems if problem[0] != caller]
        if not call.problems:
            self._close("cancelled")
        return ""

    def take(self, staff: str) -> str:
        """Contract: one winner, past the lease anyone."""
        call = self.call
        if call is None:
            return "call_closed"
        if call.state == "appealed":
            return "invalid_transition"
        if call.taker not in (None, staff) and self.now < call.lease_until:
            return "call_already_taken"
        if call.taker != staff:
            self._hand(call, staff)
        elif self.now >= call.lease_until:
            call.lease_until = self.now + LEASE
        return ""

    def work(self, staff: str, step: str) -> str:
        """The taker's: heartbeat, release, resume-play, decisions, resolve."""
        call = self.call
        if call is None:
            return "call_closed"
        if call.state != "taken":
            return "invalid_transition"
        if call.taker != staff:
            return "not_the_taker"
        if step == "heartbeat":
            call.lease_until = self.now + LEASE
        elif step == "release":
            call.state, call.taker, call.playing_on = "open", None, False
        elif step == "resume-play":
            call.playing_on = True
        elif step == "decisions":
            call.decisions.append((staff, False))
        elif step == "resolve":
            self._close("resolved")
        return ""

    def correct(self, staff: str, category: str) -> str:
        """I-46."""
        no = self.work(staff, "category")
        if not no and self.call is not None:
            self.call.category = category
        return no

    def presence(self, player: str, event: str) -> str:
        """I-44."""
        call = self.call
        if call is None:
            return "call_closed"
        if player not in PLAYERS and player not in call.callers:
            return "not_in_duel"
        if event == "returned":
            call.gone.discard(player)
        elif player in PLAYERS:
            call.gone.add(player)
        return ""

    def appeal(self, player: str, number: int) -> str:
        """I-33, I-47; `number` counts the call's decisions from 0."""
        call = self.call
        if call is None:
            return "call_closed"
        if player not in PLAYERS:
            return "not_in_duel"
        if call.state == "appealed":
            return "invalid_transition"
        if not call.decisions:
            return "no_decision_yet"
        if call.decisions[number][1]:
            return "decision_final"
        call.state, call.under_appeal = "appealed", number
        return ""

    def verdict(self, staff: str) -> str:
        """I-31, I-47, bar 16."""
        if staff not in SENIORS:
            return "senior_admin_required"
        call = self.call
        if call is None:
            return "call_closed"
        if call.under_appeal is None:
            return "invalid_transition"
        if staff in call.takers:
            return "conflict_of_interest"
        call.decisions[call.under_appeal] = (call.decisions[call.under_appeal][0], True)
        call.under_appeal = None
        self._hand(call, staff)
        return ""

    def _hand(self, call: ModelCall, staff: str) -> None:
        call.state, call.taker, call.playing_on, call.lease_until = "taken", staff, False, self.now + LEASE
        call.takers.add(staff)

    def _close(self, state: str) -> None:
        assert self.call is not None
        self.call.state = state
        self.call = None
