"""`compose/stack doctor`: problems that prevent a stack from starting or answering, each with its fix."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator

from .checks import CHECKS, Check, CheckedStack, Finding, Warn
from .colour import Palette
from .language import say
from .problem import ExitCode, Problem
from .supervisor import SupervisorUnreachable

_INDENT = " " * 17


def doctor(options: Namespace) -> int:
    """Run all checks, and return the exit code of the first problem."""
    stack = CheckedStack(options)
    findings = [finding for name, check in CHECKS.items() for finding in _run_check(name, check, stack)]
    wrong = [finding for finding in findings if finding.code]
    warnings = [finding for finding in findings if finding.is_warning]
    if options.json:
        entries = [
            {
                "check": finding.check, "ok": not finding.code, "warning": finding.is_warning, "what": finding.what,
                "fix": finding.fix or None,
            }
            for finding in findings
        ]
        print(json.dumps(entries, ensure_ascii=False, indent=2))
    else:
        palette = Palette.of_output()
        for finding in findings:
            _print(finding, palette)
        print(_summary(len(findings), len(wrong), len(warnings)))
    return wrong[0].code if wrong else ExitCode.OK


def _run_check(name: str, check: Check, stack: CheckedStack) -> Iterator[Finding]:
    try:
        for result in check(stack):
            yield Finding(name, result.what, result.fix) if isinstance(result, Warn) else Finding(name, result)
    except Problem as problem:
        yield Finding(name, "\n".join([problem.what, *problem.details]), problem.fix, problem.code)
    except OSError as error:
        yield Finding(name, f"{error.filename}: {error.strerror}", "", ExitCode.LOCAL_IO)
    except SupervisorUnreachable:
        yield Finding(
            name, say("스택이 끝나는 중입니다", "the stack is just ending"), say("다시 확인하세요.", "Look again."),
            ExitCode.UNAVAILABLE)


def _summary(findings: int, wrong: int, warnings: int) -> str:
    if wrong:
        return say(f"{findings}개 가운데 {wrong}개를 고쳐야 합니다.", f"{wrong} of {findings} need attention.")
    if warnings:
        kind = "is a warning" if warnings == 1 else "are warnings"
        return say(f"{findings}개 가운데 {warnings}개는 경고입니다. 스택은 동작합니다.",
                   f"{warnings} of {findings} {kind}; a stack works all the same.")
    return say(f"{findings}개 모두 정상입니다.", f"All {findings} checks passed.")


def _print(finding: Finding, palette: Palette) -> None:
    failed, warned, passed = say("실패", "FAIL"), say("경고", "warn"), say("정상", "ok  ")
    mark = palette.red(failed) if finding.code else palette.yellow(warned) if finding.is_warning else passed
    lines = [*finding.what.splitlines(), *(f"→ {line}" for line in finding.fix.splitlines())]
    print(f"{mark}  {finding.check:<9}  {lines[0]}")
    for line in lines[1:]:
        print(f"{_INDENT}{line}")
