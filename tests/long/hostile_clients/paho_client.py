"""Carries out a plan of attacks with paho: `python paho_client.py PLAN.json` prints the topics that it received."""

from __future__ import annotations

import base64
import json
import os
import ssl
import sys
import time
from pathlib import Path

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

plan = json.loads(Path(sys.argv[1]).read_text())
received: list[str] = []
client = paho.Client(CallbackAPIVersion.VERSION2, plan["id"], protocol=MQTTProtocolVersion.MQTTv5, reconnect_on_failure=False)
context = ssl.create_default_context(cafile=plan["authority"])
context.load_cert_chain(plan["identity"])
client.tls_set_context(context)
client.will_set(plan["will"], b"{}", 1, True)
client.on_message = lambda _client, _data, message: received.append(message.topic)
client.connect("127.0.0.1", plan["port"])
client.loop_start()
time.sleep(0.5)
for name in plan["subscribe"]:
    client.subscribe(name, 1)
for topic, payload, retain in plan["publish"]:
    client.publish(topic, base64.b64decode(payload), 1, retain)
time.sleep(plan["seconds"])
print(json.dumps(sorted(set(received))), flush=True)
os._exit(0)  # without DISCONNECT: the will is published
