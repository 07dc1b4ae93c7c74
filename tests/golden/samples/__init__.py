"""Samples of every event in its released form: each module here that names `SAMPLES` is taken in by itself."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Final

from tests.golden.files import Sample

_MODULES = sorted(module.name for module in pkgutil.iter_modules(__path__))
SAMPLES: Final[tuple[Sample, ...]] = tuple(
    sample for name in _MODULES for sample in getattr(importlib.import_module(f"{__name__}.{name}"), "SAMPLES", ())
)
