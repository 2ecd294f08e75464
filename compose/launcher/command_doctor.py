"""`compose/stack doctor`: what keeps a stack from starting or answering, each with what to do about it."""

from __future__ import annotations

import json
from argparse import Namespace

from .checks import CHECKS, Check, Finding, Patient
from .colour import Palette
from .problem import ExitCode, Problem
from .supervisor import SupervisorUnreachable

_INDENT = " " * 17


def doctor(options: Namespace) -> int:
    """Look at everything, and end with the exit code of the first thing that is wrong."""
    patient = Patient(options)
    findings = [finding for name, check in CHECKS.items() for finding in _made(name, check, patient)]
    wrong = [finding for finding in findings if finding.code]
    if options.json:
        told = [
            {"check": finding.check, "ok": not finding.code, "what": finding.what, "fix": finding.fix or None}
            for finding in findings
        ]
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        palette = Palette.of_output()
        for finding in findings:
            _print(finding, palette)
        print(f"{len(wrong)} of {len(findings)} need attention." if wrong else f"All {len(findings)} are well.")
    return wrong[0].code if wrong else ExitCode.OK


def _made(name: str, check: Check, patient: Patient) -> list[Finding]:
    try:
        return [Finding(name, what) for what in check(patient)]
    except Problem as problem:
        return [Finding(name, "\n".join([problem.what, *problem.details]), problem.fix, problem.code)]
    except OSError as error:
        return [Finding(name, f"{error.filename}: {error.strerror}", "", ExitCode.LOCAL_IO)]
    except SupervisorUnreachable:
        return [Finding(name, "the stack is just ending", "Look again.", ExitCode.UNAVAILABLE)]


def _print(finding: Finding, palette: Palette) -> None:
    mark = palette.red("FAIL") if finding.code else "ok  "
    lines = [*finding.what.splitlines(), *(f"→ {line}" for line in finding.fix.splitlines())]
    print(f"{mark}  {finding.check:<9}  {lines[0]}")
    for line in lines[1:]:
        print(f"{_INDENT}{line}")
