"""Home Assistant's core for `test_home_assistant`. It runs in an environment of its own, which has no edgefleet.

    python home_assistant_core.py FOLDER PORT

It answers each line of its input with one line of JSON. The answer to a list of [component, document] is a list for each: why the
schema refuses the document, and the keys that it ignores. The answer to `states`: the states of all entities that it knows from
the broker at PORT, by entity. The end of the input ends it.
"""

# mypy: ignore-errors
from __future__ import annotations

import asyncio
import importlib
import json
import sys

import voluptuous as vol
from homeassistant import bootstrap, loader
from homeassistant.auth import auth_manager_from_config
from homeassistant.config_entries import ConfigEntries, ConfigEntry
from homeassistant.core import CoreState, HomeAssistant


def check(component, document):
    schema = importlib.import_module(f"homeassistant.components.mqtt.{component}").DISCOVERY_SCHEMA
    try:
        taken = schema(dict(document))
    except vol.Invalid as error:
        return [str(error), []]
    return ["", sorted(set(document) - set(taken))]


async def started(folder, port):
    core = HomeAssistant(folder)
    core.config.skip_pip = True
    core.config.internal_url = "http://127.0.0.1:8123"
    loader.async_setup(core)
    core.config_entries = ConfigEntries(core, {})
    await bootstrap.async_load_base_functionality(core)
    core.auth = await auth_manager_from_config(core, [], [])
    core.set_state(CoreState.running)
    data = {"broker": "127.0.0.1", "port": port, "discovery": True}
    entry = ConfigEntry(version=1, minor_version=2, domain="mqtt", title="broker", source="user", data=data)
    await core.config_entries.async_add(entry)
    return core


async def main():
    core = await started(sys.argv[1], int(sys.argv[2]))
    while line := await core.loop.run_in_executor(None, sys.stdin.readline):
        given = json.loads(line)
        if given == "states":
            await core.async_block_till_done()
            answer = {state.entity_id: state.state for state in core.states.async_all()}
        else:
            answer = [check(component, document) for component, document in given]
        print(json.dumps(answer), flush=True)
    await core.async_stop(force=True)


asyncio.run(main())
