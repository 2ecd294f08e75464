"""One completion script for `boxoffice`, joined from those of the programs that it runs."""

from __future__ import annotations

import re

_BASH = """\
_boxoffice_command() {
    local program=${COMP_WORDS[1]-} length=${#COMP_LINE}
    if ((COMP_CWORD < 2)) || [[ $program != stack && $program != tap ]]; then
        _boxoffice_or_fields "$@"
        return
    fi
    COMP_LINE=${COMP_LINE#"${COMP_WORDS[0]}"}
    COMP_LINE=$program${COMP_LINE#*"$program"}
    ((COMP_POINT -= length - ${#COMP_LINE}))
    COMP_WORDS=("${COMP_WORDS[@]:1}")
    ((COMP_CWORD -= 1))
    "_$program" "$program" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
}
complete -o filenames -F _boxoffice_command boxoffice
"""
_ZSH = """\
_boxoffice_command() {
    if ((CURRENT > 2)) && [[ $words[2] == (stack|tap) ]]; then
        shift words
        ((CURRENT--))
        "_$words[1]" "$@"
    else
        _boxoffice_or_fields "$@"
    fi
}
if [[ "${funcstack[1]}" = _boxoffice ]]; then
    _boxoffice_command "$@"
fi
compdef _boxoffice_command boxoffice
"""


def joined(shell: str, boxoffice: str, stack: str, tap: str) -> str:
    """Return the script of a shell; the others are those of `boxoffice`, `stack` and `tap`, each for its own name."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](boxoffice, stack, tap)


def _bash(boxoffice: str, stack: str, tap: str) -> str:
    scripts = (re.sub(r"(?m)^complete .*\n?", "", script) for script in (boxoffice, stack, tap))
    return "\n".join([*scripts, _BASH])


def _zsh(boxoffice: str, stack: str, tap: str) -> str:
    start = re.compile(r'(?ms)^if \[\[ "\$\{funcstack.*?^fi$\n?|^compdef .*?$\n?|^#compdef .*?$\n?')
    own, others = start.sub("", boxoffice), [start.sub("", script) for script in (f"_stack() {{\n{stack}}}", tap)]
    return "\n".join(["#compdef boxoffice", own, *others, _ZSH])


def _fish(boxoffice: str, stack: str, tap: str) -> str:
    commands = re.findall(r"__fish_seen_subcommand_from (\w+)", stack)
    seen = "complete -c boxoffice -n '__fish_seen_subcommand_from"
    lines = [f"{seen} tap' {options}" for options in re.findall(r"(?m)^complete -c 'tap' -n '[^']*' (-.*)$", tap)]
    for condition, words in re.findall(r"(?m)^complete -c stack -n '?([^'\n]*?)'? (-a .*)$", stack):
        nested = condition if condition in stack and "seen" in condition else f"not __fish_seen_subcommand_from {' '.join(commands)}"
        lines.append(f"{seen} stack; and {nested}' {words}")
    return "\n".join([boxoffice, *lines]) + "\n"
