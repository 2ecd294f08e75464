"""`compose/stack config`: every setting with its value and origin, as the gateway knows them.

A running stack may have other values: those of the environment in which `up` ran.
"""

from __future__ import annotations

import subprocess
import sys
from argparse import Namespace

from .gateway import command, running_record, usual_gateway
from .language import say
from .run_folder import RunFolder, locate
from .running import changed_variables


def config(options: Namespace) -> int:
    """Print the effective settings by `gateway config`, and return its exit code."""
    arguments = ["--json"] if options.json else []
    ended = subprocess.run(command(usual_gateway(), "config", *arguments), env=options.environ, check=False)
    record = running_record()
    if record and record.demo:
        print(say("실행 중인 데모 스택은 KOBIS와 카카오 대신 demo-upstream을 호출합니다. 프로세스: compose/stack ps",
                  "The running demo stack calls demo-upstream instead of KOBIS and Kakao. Its processes: compose/stack ps"),
              file=sys.stderr)
    if record and (changed := changed_variables(RunFolder(locate(options.environ)), options.environ, record.demo)):
        names = ", ".join(changed)
        print(say(f"실행 중인 스택은 {names} 설정을 다른 값으로 시작했습니다. 위의 값은 다음 up부터 적용됩니다.",
                  f"The running stack was started with other values of {names}. The values above apply from the next up."),
              file=sys.stderr)
    return ended.returncode
