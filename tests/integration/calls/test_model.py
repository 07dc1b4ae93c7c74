"""The state machine of calls against a pure model, through HTTP: whatever is asked, in whatever order, both answer alike (I-40 to I-51)."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Coroutine, Iterator
from typing import Any, ClassVar, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from tests.support.app import Answer, Service, fresh, serving
from tests.support.call_model import ModelRoom
from tests.support.database import Server

T = TypeVar("T")
CALLERS = st.sampled_from(["p1", "p2", "watcher"])
ADMINS = st.sampled_from(["admin", "admin_b", "senior_admin", "senior_admin_b", "head_admin"])
CATEGORIES = st.sampled_from(["cheating", "harassment", "slow-play"])
SENIORS = ("senior_admin", "senior_admin_b", "head_admin")
EXAMPLES = [pytest.param(20, id="quick"), pytest.param(300, marks=pytest.mark.full, id="full")]


class CallMachine(RuleBasedStateMachine):
    """One room, its players, a watcher, five members of staff, and a clock."""

    service: ClassVar[Service]
    runner: ClassVar[asyncio.Runner]

    def __init__(self) -> None:
        super().__init__()
        self.model = ModelRoom()
        self.call_id: str | None = None
        self.decisions: list[str] = []
        self.ids = {name: fresh(name) for name in ("p1", "p2", "watcher")}
        self.duel_id = fresh("duel")

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    def send(self, path: str, body: Any = None, *, by: str | None = None, model: str) -> Answer | None:
        """Send what the model was asked too, and compare the answers; nothing is sent where no call was ever made."""
        if self.call_id is None:
            return None
        caller = self.service.game if by is None else self.service.staff[by]
        answer = self.run(caller.post(f"/v1/calls/{self.call_id}/{path}", body))
        assert (answer["code"] if answer.status >= 400 else "") == model, (path, by, body, answer.body)
        if answer.status >= 400 and model == "invalid_transition":
            assert path not in answer["allowed"]
        return answer

    @initialize()
    def open_room(self) -> None:
        body = {"format": "tcg", "players": [self.ids["p1"], self.ids["p2"]], "kind": "match"}
        self.run(self.service.game.call("PUT", f"/v1/duels/{self.duel_id}", body, expect=201))

    @rule(caller=CALLERS, category=CATEGORIES)
    def press(self, caller: str, category: str) -> None:
        joins, expected = self.model.call is not None, self.model.press(caller, category)
        body = {"duel_id": self.duel_id, "caller_id": self.ids[caller], "category": category, "message": "Help.", "origin": "duel"}
        answer = self.run(self.service.game.post("/v1/calls", body))
        if expected:
            assert answer["code"] == expected
            return
        assert (answer.status, answer["joined_existing"]) == ((200, True) if joins else (201, False))
        if not joins:
            self.call_id, self.decisions = answer["call_id"], []
        assert answer["call_id"] == self.call_id

    @rule(caller=CALLERS)
    @precondition(lambda self: self.call_id is not None)
    def cancel(self, caller: str) -> None:
        self.send("cancel", {"caller_id": self.ids[caller]}, model=self.model.cancel(caller))

    @rule(staff=ADMINS)
    @precondition(lambda self: self.call_id is not None)
    def take(self, staff: str) -> None:
        self.send("take", by=staff, model=self.model.take(staff))

    @rule(staff=ADMINS, step=st.sampled_from(["heartbeat", "release", "resume-play"]))
    @precondition(lambda self: self.call_id is not None)
    def hold(self, staff: str, step: str) -> None:
        self.send(step, by=staff, model=self.model.work(staff, step))

    @rule(staff=ADMINS)
    @precondition(lambda self: self.call_id is not None)
    def resolve(self, staff: str) -> None:
        self.send("resolve", {"summary": "Done."}, by=staff, model=self.model.work(staff, "resolve"))

    @rule(staff=ADMINS, category=CATEGORIES)
    @precondition(lambda self: self.call_id is not None)
    def correct(self, staff: str, category: str) -> None:
        self.send("category", {"category": category}, by=staff, model=self.model.correct(staff, category))

    @rule(player=CALLERS, event=st.sampled_from(["quit", "disconnected", "conceded", "returned"]))
    @precondition(lambda self: self.call_id is not None)
    def presence(self, player: str, event: str) -> None:
        self.send("presence", {"player_id": self.ids[player], "event": event}, model=self.model.presence(player, event))

    @rule(data=st.data())
    @precondition(lambda self: self.model.call is not None and self.model.call.taker is not None)
    def decide(self, data: st.DataObject) -> None:
        """Mostly by the taker, so that there is something to appeal."""
        assert self.model.call is not None
        taker = self.model.call.taker or "admin"
        staff = data.draw(st.sampled_from([taker, taker, "admin"]))
        body = {"kind": "ruling", "text": "It resolves."}
        answer = self.send("decisions", body, by=staff, model=self.model.work(staff, "decisions"))
        if answer is not None and answer.status == 201:
            self.decisions.append(answer["decision_id"])

    @rule(player=CALLERS, data=st.data())
    @precondition(lambda self: self.call_id is not None)
    def appeal(self, player: str, data: st.DataObject) -> None:
        number = data.draw(st.integers(0, len(self.decisions) - 1)) if self.decisions else 0
        decision_id = self.decisions[number] if self.decisions else "019ad000-0000-7000-8000-000000000000"
        expected = self.model.appeal(player, number)
        self.send("appeal", {"player_id": self.ids[player], "decision_id": decision_id}, model=expected)

    @rule(player=st.sampled_from(["p1", "p2"]), data=st.data())
    @precondition(lambda self: self.model.call is not None and self.model.call.state == "taken")
    def argue(self, player: str, data: st.DataObject) -> None:
        """The way that chance alone seldom finds: the taker decides, a player appeals, and somebody of rank has the last word, or tries."""
        self.decide(data)
        if self.decisions:
            self.appeal(player, data)
        self.have_the_last_word(data.draw(st.sampled_from(SENIORS)))

    @rule(staff=ADMINS)
    @precondition(lambda self: self.call_id is not None)
    def have_the_last_word(self, staff: str) -> None:
        self.send("appeal/decision", {"outcome": "upheld", "text": "It stands."}, by=staff, model=self.model.verdict(staff))

    @rule(seconds=st.sampled_from([1, 60, 119, 120]))
    def wait(self, seconds: int) -> None:
        self.service.clock.turn(seconds=seconds)
        self.model.now += seconds

    @invariant()
    def both_show_the_same(self) -> None:
        if self.call_id is None or self.model.last is None:
            return
        duel, call = self.run(self.both())
        live = self.call_id if self.model.call is not None else None
        assert (duel["paused"], duel["under_admin"], duel["call_id"]) == (self.model.paused, self.model.under_admin, live)
        model = self.model.last
        assert (call["state"], call["category"]) == (model.state, model.category)
        if self.model.call is not None:
            assert call["taken_by"] == (self.service_id(model.taker) if model.taker else None)
            standing = sorted((problem["caller_id"], problem["category"]) for problem in call["problems"])
            assert standing == sorted((self.ids[caller], category) for caller, category in model.problems)
        assert (call["queue_position"] is not None) == (call["state"] == "open")

    async def both(self) -> tuple[Answer, Answer]:
        return await self.service.game.get(f"/v1/duels/{self.duel_id}"), await self.service.admin.get(f"/v1/calls/{self.call_id}")

    @staticmethod
    def service_id(staff: str) -> str:
        from services.commands.seeding import STAFF

        return STAFF[staff][0]


@pytest.fixture(scope="module")
def machine(database_server: Server) -> Iterator[type[CallMachine]]:
    database = database_server.create("mod_model")
    with asyncio.Runner() as runner:
        opened = serving(database)
        CallMachine.service, CallMachine.runner = runner.run(opened.__aenter__()), runner
        yield CallMachine
        runner.run(opened.__aexit__(None, None, None))
    database_server.drop(database.name)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("examples", EXAMPLES)
def test_the_service_does_what_the_model_says(machine: type[CallMachine], examples: int) -> None:
    """Seeded: the same sequences in every run; what fails is shrunk to the shortest."""
    chosen = settings(
        max_examples=examples, stateful_step_count=30, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the test library's own making
        run_state_machine_as_test(machine, settings=chosen)
