"""The figures that the bars have seen, together at the end of the run."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print every figure that a test recorded, whether it passed or not."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind) if report.when == "call"]
    figures = sorted({str(value) for report in reports for name, value in report.user_properties if name == "figure"})
    if figures:
        terminalreporter.section("figures")
        for line in figures:
            terminalreporter.write_line(line)
