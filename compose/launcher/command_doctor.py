"""`compose/stack doctor`: the findings of the gateway, and those about programs, processes, folders and disks."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator

from .checks import CHECKS, Check, CheckedStack, Finding
from .language import in_both, joined, say
from .problem import ExitCode, Problem
from .supervisor import SupervisorUnreachable
from .terminal import Palette, columns, terminal_columns, wrapped


def doctor(options: Namespace) -> int:
    """Run all checks, and return the exit code of the first problem."""
    stack = CheckedStack(options)
    findings = [finding for name, check in CHECKS.items() for finding in _run_check(name, check, stack)]
    code = next((finding.code for finding in findings if finding.code), ExitCode.OK)
    if options.json:
        print(json.dumps({"ok": not code, "findings": [_object(finding) for finding in findings]}, ensure_ascii=False))
    else:
        _print(findings)
    return code


def _run_check(name: str, check: Check, stack: CheckedStack) -> Iterator[Finding]:
    try:
        for result in check(stack):
            yield result if isinstance(result, Finding) else Finding(name, result)
    except Problem as problem:
        yield Finding(name, joined([problem.what, *problem.details]), problem.fix, problem.code)
    except OSError as error:
        yield Finding(name, f"{error.filename}: {error.strerror}", "", ExitCode.LOCAL_IO)
    except SupervisorUnreachable:
        yield Finding(
            name, say("스택이 종료되는 중입니다", "the stack is stopping"), say("다시 확인하세요.", "Check again."),
            ExitCode.UNAVAILABLE)


def _object(finding: Finding) -> dict[str, object]:
    return {
        "check": finding.check, "ok": not finding.code, "warning": finding.is_warning, "what": in_both(finding.what),
        "fix": in_both(finding.fix) if finding.fix else None,
    }


def _print(findings: list[Finding]) -> None:
    """Print the findings as `gateway doctor` does."""
    palette = Palette.of_output()
    width = max(columns(finding.check) for finding in findings)
    indent = " " * (width + 4)
    for finding in findings:
        mark = palette.red("✗") if finding.code else palette.yellow("!") if finding.is_warning else palette.green("✓")
        lines = [*finding.what.splitlines(), *finding.fix.splitlines()]
        text = "\n".join([f"  {finding.check.ljust(width)}  {lines[0]}", *(indent + line for line in lines[1:])])
        print(mark + wrapped(text, terminal_columns())[1:])
