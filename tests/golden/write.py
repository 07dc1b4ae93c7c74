"""Write the golden files that are missing: `python -m tests.golden.write`. What is there stays as it is: it was released."""

from __future__ import annotations

import sys

import msgspec

from shared.eventstore.codec import Codec
from tests.golden.files import DATA_KEY, FOLDER, Golden, Sample, registry
from tests.golden.samples import SAMPLES


def golden(codec: Codec, sample: Sample) -> Golden:
    """The sample as it is stored now."""
    stored_type, payload = codec.encode(sample.event, stream=sample.stream, version=sample.version, data_key=DATA_KEY)
    value = msgspec.to_builtins(sample.event)
    return Golden(type=stored_type, stream=sample.stream, version=sample.version, payload=payload.decode(), value=value)


def main() -> None:
    """Write each missing file, and say which."""
    codec = Codec(registry())
    by_type: dict[str, list[Golden]] = {}
    for sample in SAMPLES:
        made = golden(codec, sample)
        by_type.setdefault(made.type, []).append(made)
    for stored_type, cases in by_type.items():
        file = FOLDER / f"{stored_type}.json"
        if not file.exists():
            file.write_bytes(msgspec.json.format(msgspec.json.encode(cases), indent=1) + b"\n")
            sys.stdout.write(f"{file.name}\n")


if __name__ == "__main__":
    main()
