"""The words of argparse, which are English, in the language of the output."""

from __future__ import annotations

import re

from .language import say

_HEADINGS = {
    "usage: ": "사용법: ", "positional arguments:": "인자:", "options:": "옵션:",
}
_NOTES = {"show this help message and exit": "도움말 보기"}
_ERRORS = (
    (r"the following arguments are required: (.+)", r"필요한 인자: \1"),
    (r"unrecognized arguments: (.+)", r"받지 않는 인자: \1"),
    (r"argument (\S+): expected one argument", r"\1: 값이 필요합니다"),
    (r"one of the arguments (.+) is required", r"이 가운데 하나가 필요합니다: \1"),
    (r"argument (\S+): invalid choice: (\S+) \(choose from (.+)\)", r"\1: 쓸 수 없는 값: \2 (가능한 값: \3)"),
    (r"argument (\S+): invalid int value: (.+)", r"\1: 정수가 아닙니다: \2"),
    (r"argument (\S+): ignored explicit argument (.+)", r"\1: 값을 받지 않습니다: \2"),
)


def help_text(text: str) -> str:
    """Return a help text with headings and notes in the language of the output."""
    for words in (_HEADINGS, _NOTES):
        for english, korean in words.items():
            text = text.replace(english, say(korean, english))
    return text


def error(message: str) -> str:
    """Return an error of argparse in the language of the output."""
    for english, korean in _ERRORS:
        if re.fullmatch(english, message):
            return say(re.sub(english, korean, message), message)
    return message
