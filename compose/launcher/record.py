"""The settings of a running stack, saved in its run folder for `scale` and `ps`."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from .language import say
from .problem import ExitCode, Problem
from .run_folder import RECORD, RunFolder
from .services import BROKER, NATS, Instance, instances


@dataclass(frozen=True)
class StackRecord:
    """The settings of one stack; it holds no keys, only the paths of their files."""

    binaries: str
    demo: bool
    counts: dict[str, int]
    recordings: str | None = None
    demo_options: list[str] = field(default_factory=list)
    upstream_url: str | None = None
    key_files: dict[str, str] = field(default_factory=dict)
    """The path of each key's file, by the variable that a fetcher reads it from."""
    bus: str = ""
    """The address of a bus of NATS; "" for a stack with a broker of ours."""
    host: str = ""
    """The host's part in the names of instances, on a bus that other hosts share."""

    @property
    def instances(self) -> list[Instance]:
        """Return all instances that belong to the stack."""
        return instances(self.counts)

    @property
    def bus_instances(self) -> list[Instance]:
        """Return the processes that carry the messages; none on a bus of others."""
        return [instance for instance in self.instances if instance.service in (BROKER.name, NATS.name)]

    def name_on_bus(self, instance: Instance) -> str:
        """Return the name by which the other programs know it."""
        return f"{instance.service}/{self.host}-{instance.number}" if self.host else instance.name

    @property
    def gateway(self) -> Path:
        """Return the gateway of the same build as the running services."""
        return Path(self.binaries) / "gateway"

    def with_counts(self, changed: dict[str, int]) -> StackRecord:
        """Return the record of the same stack with other counts."""
        return replace(self, counts={**self.counts, **changed})

    def with_upstream(self, url: str) -> StackRecord:
        """Return the record of the same stack once its demo upstream listens at this URL."""
        return replace(self, upstream_url=url)

    def with_bus(self, address: str) -> StackRecord:
        """Return the record of the same stack on this bus."""
        return replace(self, bus=address)

    def with_key_files(self, files: dict[str, str]) -> StackRecord:
        """Return the record of the same stack with these files of keys."""
        return replace(self, key_files=files)

    def save(self, folder: RunFolder) -> None:
        """Write the record into the run folder."""
        folder.write_private(RECORD, json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, folder: RunFolder) -> StackRecord:
        """Read the record of the stack that runs in this folder."""
        path = folder.path / RECORD
        try:
            return cls(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise Problem(
                say(f"실행 중인 스택의 기록을 읽을 수 없습니다: {path}: {error}",
                    f"cannot read the record of the running stack: {path}: {error}"),
                fix=say("종료한 뒤 다시 시작하세요: compose/stack down", "Stop it and start again: compose/stack down"), code=ExitCode.LOCAL_IO,
            ) from error
