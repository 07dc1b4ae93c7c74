"""What a run of the fuzzer has learnt of the service: names of what exists, so that requests reach the rules and do not all end at a 404.

A generated value of the right form is sometimes replaced by a known one of the same name; one of a wrong form never, so what is invalid stays so.
"""

from __future__ import annotations

import io
import random
import re
from collections import defaultdict, deque
from collections.abc import Mapping
from typing import Any

from PIL import Image

from services.gateway.routes import ENDPOINTS
from shared.http.codes import CODES
from shared.http.types import GAME_ID_PATTERN, UUID_PATTERN

KEPT = 40
OFTEN, EVEN = 0.75, 0.5
_FORMS = {"uuid": re.compile(UUID_PATTERN), "game_id": re.compile(GAME_ID_PATTERN), "text": re.compile(r"[!-~]{1,200}\Z")}
_OF_BODIES = {"adjustment_id": "uuid", "caller_id": "game_id", "opponent_id": "game_id", "sanction_id": "uuid"}
KINDS = {name: kind for endpoint in ENDPOINTS for name, kind in endpoint.parameters().items()} | _OF_BODIES
del KINDS["staff_id"]  # the members that call are few, and must stay what they are
_FIRST = {"level": ("0", "1"), "a": ("000", "000.p"), "b": ("1", "2"), "code": tuple(CODES), "number": ("1",), "version": ()}
_VERSION = re.compile(r'"[0-9]+"')


class Known:
    """Names by the parameter or member that holds them, and ETags by path; what is chosen depends on the seed alone."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self._names: dict[str, deque[str]] = defaultdict(lambda: deque(maxlen=KEPT))
        self._etags: dict[str, str] = {}
        for name, values in _FIRST.items():
            self._names[name].extend(values)

    def learn(self, parameters: Mapping[str, Any], path: str, headers: Mapping[str, Any], reply: Any) -> None:
        """Take the names out of a success."""
        for name, value in parameters.items():
            self._keep(name, value)
        self._read(reply, 0)
        if headers.get("etag"):
            self._etags[path] = headers["etag"][0]

    def _read(self, value: Any, depth: int) -> None:
        if isinstance(value, dict):
            for name, part in value.items():
                self._keep(name, part)
                self._read(part, depth + 1)
        elif isinstance(value, list) and depth < 5:
            for part in value[:20]:
                self._read(part, depth + 1)

    def _keep(self, name: str, value: Any) -> None:
        text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
        if name in KINDS and _FORMS[KINDS[name]].match(text) and text not in self._names[name]:
            self._names[name].append(text)

    def name(self, parameter: str, given: Any) -> Any:
        """What to send in this place."""
        known = self._names.get(parameter)
        if not known or not isinstance(given, str) or not _FORMS[KINDS[parameter]].match(given) or self.chance.random() > OFTEN:
            return given
        return self.chance.choice(known)

    def names_in(self, value: Any) -> Any:
        """A body with known names in it."""
        if isinstance(value, dict):
            return {key: self.name(key, part) if key in KINDS and key.endswith("_id") else self.names_in(part) for key, part in value.items()}
        return [self.names_in(part) for part in value] if isinstance(value, list) else value

    def headers(self, given: dict[str, Any], path: str) -> dict[str, Any]:
        """Conditions that can hold: seldom a version (it would be another one), often the ETag that was given for the path."""
        if _VERSION.fullmatch(str(given.get("If-Match", ""))) and self.chance.random() < OFTEN:
            del given["If-Match"]
        if "If-None-Match" in given and path in self._etags and self.chance.random() < EVEN:
            given["If-None-Match"] = self._etags[path]
        if "Player-Tier" in given and self.chance.random() < OFTEN:
            given["Player-Tier"] = "pro"
        return given

    def picture(self) -> bytes:
        """A small picture that no run has twice."""
        made = io.BytesIO()
        Image.effect_noise((32, 32), self.chance.uniform(20, 120)).save(made, "PNG")
        return made.getvalue()
