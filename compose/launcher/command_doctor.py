"""`compose/stack doctor`: what keeps a stack from starting or answering, each with what to do about it."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator

from .checks import CHECKS, Check, Finding, Patient, Warn
from .colour import Palette
from .problem import ExitCode, Problem
from .supervisor import SupervisorUnreachable

_INDENT = " " * 17


def doctor(options: Namespace) -> int:
    """Look at everything, and end with the exit code of the first thing that is wrong."""
    patient = Patient(options)
    findings = [finding for name, check in CHECKS.items() for finding in _made(name, check, patient)]
    wrong = [finding for finding in findings if finding.code]
    warnings = [finding for finding in findings if finding.is_warning]
    if options.json:
        told = [
            {
                "check": finding.check, "ok": not finding.code, "warning": finding.is_warning, "what": finding.what,
                "fix": finding.fix or None,
            }
            for finding in findings
        ]
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        palette = Palette.of_output()
        for finding in findings:
            _print(finding, palette)
        print(_summary(len(findings), len(wrong), len(warnings)))
    return wrong[0].code if wrong else ExitCode.OK


def _made(name: str, check: Check, patient: Patient) -> Iterator[Finding]:
    try:
        for said in check(patient):
            yield Finding(name, said.what, said.fix) if isinstance(said, Warn) else Finding(name, said)
    except Problem as problem:
        yield Finding(name, "\n".join([problem.what, *problem.details]), problem.fix, problem.code)
    except OSError as error:
        yield Finding(name, f"{error.filename}: {error.strerror}", "", ExitCode.LOCAL_IO)
    except SupervisorUnreachable:
        yield Finding(name, "the stack is just ending", "Look again.", ExitCode.UNAVAILABLE)


def _summary(findings: int, wrong: int, warnings: int) -> str:
    if wrong:
        return f"{wrong} of {findings} need attention."
    if warnings:
        kind = "is a warning" if warnings == 1 else "are warnings"
        return f"{warnings} of {findings} {kind}; a stack works all the same."
    return f"All {findings} are well."


def _print(finding: Finding, palette: Palette) -> None:
    mark = palette.red("FAIL") if finding.code else palette.yellow("warn") if finding.is_warning else "ok  "
    lines = [*finding.what.splitlines(), *(f"→ {line}" for line in finding.fix.splitlines())]
    print(f"{mark}  {finding.check:<9}  {lines[0]}")
    for line in lines[1:]:
        print(f"{_INDENT}{line}")
