"""The log that proves itself: tiles, signed checkpoints, proofs, the sealer that makes them and the witness that doubts them (docs/log-format.md)."""
