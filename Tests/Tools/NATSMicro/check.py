"""Asks for the services of a bus, and checks what they answer."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import nats
from nats.aio.client import Client
from nats.micro.service import ServiceInfo, ServicePing, ServiceStats

GATHERING_SECONDS = 0.2
# Until the answers that have to come are there, on a busy machine.
PATIENCE_SECONDS = 30
ANSWERS = {"PING": ServicePing, "INFO": ServiceInfo, "STATS": ServiceStats}


async def gather(client: Client, subject: str, services: list[str]) -> list[Any]:
    """Return the answers to a question that each of these services answers."""
    inbox = client.new_inbox()
    subscription = await client.subscribe(inbox)
    await client.publish(subject, b"", reply=inbox)
    answers: list[Any] = []
    try:
        while True:
            are_missing = not set(services) <= {answer["name"] for answer in answers}
            message = await subscription.next_msg(timeout=PATIENCE_SECONDS if are_missing else GATHERING_SECONDS)
            if message.headers:
                raise SystemExit(f"{subject}: {message.headers}")
            answers.append(json.loads(message.data))
    except nats.errors.TimeoutError:
        await subscription.unsubscribe()
        return answers


async def check(url: str, services: list[str]) -> None:
    """Fail with a line at the first answer that is not as specified."""
    client = await nats.connect(url)
    for verb, kind in ANSWERS.items():
        kind_of_answer = f"io.nats.micro.v1.{verb.lower()}_response"
        answers = await gather(client, f"$SRV.{verb}", services)
        for answer in answers:
            read = kind.from_dict(answer)
            if answer["type"] != kind_of_answer:
                raise SystemExit(f"{verb}: the type is {answer['type']}, {kind_of_answer} is expected")
            # The answer of one instance is that of its own subject, too.
            own = await gather(client, f"$SRV.{verb}.{read.name}.{read.id}", [read.name])
            if [one["id"] for one in own] != [read.id]:
                raise SystemExit(f"$SRV.{verb}.{read.name}.{read.id} is answered by {own}")
            if verb == "STATS" and any(endpoint.num_requests < 0 for endpoint in read.endpoints):
                raise SystemExit(f"{read.id} counts {read.endpoints}")
        names = sorted({answer["name"] for answer in answers})
        if names != sorted(services):
            raise SystemExit(f"{verb} is answered by {names}, {services} are expected")
        print(f"{verb}: {len(answers)} answers of {', '.join(names)}")
    await client.close()


asyncio.run(check(sys.argv[1], sys.argv[2:]))
