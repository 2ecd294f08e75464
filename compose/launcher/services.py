"""The services of a stack, their permitted numbers, and the names of their instances."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .installation import ROOT
from .language import say
from .problem import ExitCode, Problem, suggestion, usage

LIST = ROOT / "Shared/BoxOffice/Contracts/services.json"
"""The one list of services, which the programs embed."""

MOST_INSTANCES = 64

# By kind: whether the broker lists it, and the lowest and highest number of instances.
_KINDS: Mapping[str, tuple[bool, int, int]] = {
    "broker": (False, 1, 1), "server": (False, 0, 3), "daemon": (False, 1, 1), "exclusiveWorker": (True, 0, 1), "worker": (True, 0, MOST_INSTANCES),
    "page": (True, 0, 1),
}


@dataclass(frozen=True)
class Service:
    """One executable of the stack."""

    name: str
    kind: str
    upstream: str = ""
    """The API it calls, whose key it therefore gets: "KOBIS", "KAKAO" or none."""
    count: int = 1
    """The default number of instances."""
    concurrency: int = 0
    """The number of concurrent upstream fetches of an instance; 0 for a service without upstream."""
    capacity: int = 0
    isDemoOnly: bool = False  # noqa: N815  (the key of the list)

    @property
    def registers(self) -> bool:
        """Whether it is a worker that the broker lists."""
        return _KINDS[self.kind][0]

    @property
    def fewest(self) -> int:
        """The lowest number of instances."""
        return _KINDS[self.kind][1]

    @property
    def most(self) -> int:
        """The highest number of instances."""
        return _KINDS[self.kind][2]

    @property
    def why_bounded(self) -> str:
        """The reason for the highest number."""
        return {
            "broker": say("인스턴스는 항상 1개입니다(실행 디렉터리의 소켓 사용)",
                          "there is always one, which owns the sockets of the run directory"),
            "daemon": say("인스턴스는 항상 1개입니다(모든 fetcher가 같은 데모 데이터를 사용)",
                          "there is always one, since all fetchers use the same demo data"),
            "exclusiveWorker": say(
                "인스턴스는 최대 1개입니다(데이터베이스를 독점)",
                "there is at most one, which owns the database"),
            "page": say("인스턴스는 최대 1개입니다(포트를 독점)", "there is at most one, which owns the port"),
        }.get(self.kind, "")

    @property
    def url_file(self) -> str:
        """The file of the run folder with the address of its pages; "" for a service without pages."""
        return f"{self.name}.url" if self.kind == "page" else ""

    @property
    def count_variable(self) -> str:
        """The setting of the number of instances; "" for a service with exactly one."""
        return f"BOXOFFICE_{self._variable}S" if self.registers else ""

    @property
    def stop_stage(self) -> int:
        """The stage in which it stops: pages and fetchers, then their dependencies, then the broker."""
        return 2 if self.kind in ("broker", "server") else 0 if self.upstream or self.kind == "page" else 1

    @property
    def _variable(self) -> str:
        return self.name.upper().replace("-", "_")


_LISTED = json.loads(LIST.read_text(encoding="utf-8"))
SERVICES: tuple[Service, ...] = tuple(Service(**entry) for entry in _LISTED["services"])
"""All services, in the order in which they start."""

KEY_VARIABLES: Mapping[str, str] = _LISTED["keys"]
"""The variable with the key of each upstream."""


def base_url(upstream: str) -> str:
    """Return the variable with the address of an upstream."""
    return f"{upstream}_BASE_URL"


NATS = Service("nats-server", "server", count=0)
"""The server of a stack on NATS, in place of the broker; no program of ours."""

BY_NAME: Mapping[str, Service] = {service.name: service for service in (NATS, *SERVICES)}
BROKER, DEMO_UPSTREAM, CACHE_STORE, EXPORTER, WEB = (
    BY_NAME[name] for name in ("broker", "demo-upstream", "cache-store", "exporter", "web"))


@dataclass(frozen=True, order=True)
class Instance:
    """One process of a service, numbered from 1."""

    service: str
    number: int

    @property
    def name(self) -> str:
        """Return the name in messages and output, as in `detail-fetcher/2`."""
        return f"{self.service}/{self.number}"

    @property
    def program(self) -> str:
        """Return the name as a supervisor section and a log file, as in `detail-fetcher-2`."""
        return f"{self.service}-{self.number}"

    @property
    def log_name(self) -> str:
        """Return the name of its log file inside `log`."""
        return f"{self.program}.log"

    @classmethod
    def of_program(cls, program: str) -> Instance:
        """Return the instance of a supervisor section."""
        service, _, number = program.rpartition("-")
        return cls(service, int(number))


def instances(counts: Mapping[str, int]) -> list[Instance]:
    """Return all instances of these counts, in the order in which they start."""
    return [
        Instance(service.name, number)
        for service in BY_NAME.values()
        for number in range(1, counts.get(service.name, 0) + 1)
    ]


def usual_counts(demo: bool, settings: Mapping[str, str]) -> dict[str, int]:
    """Return the default numbers of instances, by the settings' names and values."""
    return {service.name: _usual(service, settings) for service in SERVICES if demo or not service.isDemoOnly}


def _usual(service: Service, settings: Mapping[str, str]) -> int:
    if not service.count_variable:
        return 1
    try:
        return _count(service, settings[service.count_variable])
    except Problem as problem:
        raise Problem(
            f"{service.count_variable}: {problem.what}", code=ExitCode.CONFIGURATION,
            fix=say(f"{service.count_variable} 설정을 바꾸세요.", f"Change {service.count_variable}.")) from problem


def parse_counts(arguments: Iterable[str], demo: bool) -> dict[str, int]:
    """Parse `SERVICE=N` arguments, or raise a problem with the invalid one and the reason."""
    counts: dict[str, int] = {}
    for argument in arguments:
        name, equals, number = argument.partition("=")
        if not equals:
            raise usage(say(f"'{argument}': 인스턴스 수를 지정하세요", f"'{argument}': the number of instances is missing"),
                        say("예: detail-fetcher=3", "e.g. detail-fetcher=3"))
        service = BY_NAME.get(name)
        if service is None:
            known = ", ".join(service.name for service in SERVICES if service.registers)
            raise usage(say(f"'{name}' 서비스는 없습니다", f"unknown service '{name}'"),
                        suggestion(name, BY_NAME) or say(f"서비스: {known}", f"Services: {known}"))
        if service is NATS:
            raise usage(say(f"{name}: 인스턴스 수는 compose/stack up --nats로 지정하세요", f"set the number of {name} with compose/stack up --nats"))
        if service.isDemoOnly and not demo:
            raise usage(say(f"{name}: 데모 스택(--demo)에서만 실행할 수 있습니다",
                            f"{name} runs only in a demo stack (--demo)"))
        if name in counts:
            raise usage(say(f"{name}: 두 번 지정했습니다", f"{name} is given twice"))
        counts[name] = _count(service, number)
    return counts


def matching(which: str, names: Iterable[str]) -> list[str]:
    """Return the instance of that name, spelled with a slash or as its log file, or all instances of that service."""
    names = list(names)
    same = [name for name in names if which in (name, name.replace("/", "-"))]
    found = same or [name for name in names if name.startswith(f"{which}/")]
    if found:
        return found
    known = [*BY_NAME, *names]
    names_known = ", ".join(known)
    fix = suggestion(which, known) or say(f"가능한 이름: {names_known}", f"Known: {names_known}")
    raise usage(say(f"'{which}' 서비스나 인스턴스는 없습니다", f"unknown service or instance '{which}'"), fix)


def _count(service: Service, number: str) -> int:
    few, most = service.fewest, service.most
    bounds = say(f"{few}부터 {most}까지", f"{few} to {most}") if few < most else f"{most}"
    if not re.fullmatch(r"[0-9]{1,9}", number):
        raise usage(say(f"{service.name}={number}: 인스턴스 수는 {bounds}의 정수여야 합니다",
                        f"{service.name}={number}: the number of instances must be a whole number, {bounds}"))
    count = int(number)
    if not service.fewest <= count <= service.most:
        reason = service.why_bounded or say(f"인스턴스 수는 {bounds}여야 합니다", f"the number must be {bounds}")
        raise usage(say(f"{service.name}={number}: {reason}", f"{service.name}={number}: {reason}"))
    return count
