"""The language of output: --lang, else BOXOFFICE_LANG, else the locale; Korean also for C, POSIX and no locale."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence

from .installation import localized

VARIABLE = "BOXOFFICE_LANG"
LANGUAGES = ("ko", "en")
_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
_chosen: list[str] = []
"""The value of --lang, if there is one."""


def take_language(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the arguments without --lang, which may stand before or after the command, and its values."""
    options = list(arguments)
    end = options.index("--") if "--" in options else len(options)
    kept: list[str] = []
    values: list[str] = []
    words = iter(options[:end])
    for word in words:
        if word == "--lang":
            values.append(next(words, ""))
        elif word.startswith("--lang="):
            values.append(word.partition("=")[2])
        else:
            kept.append(word)
    return kept + options[end:], values


def use(language: str) -> None:
    """Write all further output in this language."""
    _chosen[:] = [language]


class Text(str):
    """A text in the language of the output, which knows itself in both languages."""

    both: dict[str, str]


def say(korean: str, english: str) -> Text:
    """Return the text in the language of the output."""
    both = {"ko": localized(korean), "en": localized(english)}
    text = Text(both[_language(os.environ)])
    text.both = both
    return text


def joined(texts: Iterable[str]) -> Text:
    """Return texts as lines of one, in both languages where they are known."""
    texts = list(texts)
    text = Text("\n".join(texts))
    text.both = {language: "\n".join(in_both(line)[language] for line in texts) for language in LANGUAGES}
    return text


def in_both(text: str) -> dict[str, str]:
    """Return a text in both languages; one that is known in one language is the same in the other."""
    return text.both if isinstance(text, Text) else dict.fromkeys(LANGUAGES, text)


def chosen_option() -> list[str]:
    """Return the option --lang for another program, if this one got it."""
    return ["--lang", _chosen[0]] if _chosen else []


def _language(environ: Mapping[str, str]) -> str:
    if _chosen:
        return _chosen[0]
    if environ.get(VARIABLE) in LANGUAGES:
        return environ[VARIABLE]
    locale = next((environ[name] for name in _LOCALE_VARIABLES if environ.get(name)), "")
    name = re.match(r"[^\W\d_]*", locale)
    return "ko" if name and name[0] in ("", "C", "POSIX", "ko") else "en"
