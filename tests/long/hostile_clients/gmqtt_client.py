"""Carries out a plan of attacks with gmqtt: `python gmqtt_client.py PLAN.json` prints the topics that it received."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import ssl
import sys
from pathlib import Path

import gmqtt  # type: ignore[import-not-found,unused-ignore]  # installed for the test only

plan = json.loads(Path(sys.argv[1]).read_text())
received: list[str] = []


async def attack() -> None:
    """Connect, subscribe, publish, listen."""
    context = ssl.create_default_context(cafile=plan["authority"])
    context.load_cert_chain(plan["identity"])
    client = gmqtt.Client(plan["id"], will_message=gmqtt.Message(plan["will"], b"{}", qos=1, retain=True))
    client.set_config({"reconnect_retries": 0})
    client.on_message = lambda _client, topic, *_: received.append(topic) or 0
    await client.connect("127.0.0.1", plan["port"], ssl=context)
    for name in plan["subscribe"]:
        client.subscribe(name, qos=1)
    for topic, payload, retain in plan["publish"]:
        client.publish(topic, base64.b64decode(payload), qos=1, retain=retain)
        await asyncio.sleep(0)
    await asyncio.sleep(plan["seconds"])


asyncio.run(attack())
print(json.dumps(sorted(set(received))), flush=True)
os._exit(0)  # without DISCONNECT: the will is published
