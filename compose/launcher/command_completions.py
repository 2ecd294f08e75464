"""`compose/stack completions`: a script that makes a shell complete commands, options and services."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable, Mapping

from .problem import ExitCode
from .services import SERVICES

SHELLS = ("bash", "zsh", "fish")
_COUNTED = [f"{service.name}=" for service in SERVICES if service.registers]
_NAMED = [service.name for service in SERVICES]
_ARGUMENTS: Mapping[str, list[str]] = {
    "up": _COUNTED, "scale": _COUNTED, "restart": ["all", *_NAMED], "logs": _NAMED, "completions": list(SHELLS),
}
"""What may follow a command beside its options."""


def completions(options: Namespace) -> int:
    """Print the script for a shell."""
    parsers: Mapping[str, Callable[[], argparse.ArgumentParser]] = options.parsers
    words = {name: _words(name, parser()) for name, parser in parsers.items()}
    print({"bash": _bash, "zsh": _zsh, "fish": _fish}[options.shell](words), end="")
    return ExitCode.OK


def _words(name: str, parser: argparse.ArgumentParser) -> list[str]:
    options = [text for action in parser._actions for text in action.option_strings]  # noqa: SLF001  (no public list)
    return [*_ARGUMENTS.get(name, []), *sorted(options)]


def _bash(words: Mapping[str, list[str]]) -> str:
    cases = "".join(f"        {name}) words='{' '.join(following)}' ;;\n" for name, following in words.items())
    return f"""\
_stack() {{
    local words='{' '.join(words)}'
    if ((COMP_CWORD > 1)); then
        case ${{COMP_WORDS[1]}} in
{cases}        *) words= ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}")
    [[ ${{COMPREPLY[0]}} != *= ]] || compopt -o nospace 2> /dev/null
}}
complete -o default -F _stack stack
"""


def _zsh(words: Mapping[str, list[str]]) -> str:
    cases = "".join(f"    {name}) compadd -S '' -- {' '.join(following)} ;;\n" for name, following in words.items())
    return f"""\
#compdef stack
if ((CURRENT == 2)); then
    compadd -- {' '.join(words)}
else
    case $words[2] in
{cases}    esac
fi
"""


def _fish(words: Mapping[str, list[str]]) -> str:
    lines = ["complete -c stack -f", f"complete -c stack -n __fish_use_subcommand -a '{' '.join(words)}'"]
    for name, following in words.items():
        lines.append(f"complete -c stack -n '__fish_seen_subcommand_from {name}' -a '{' '.join(following)}'")
    return "\n".join(lines) + "\n"
